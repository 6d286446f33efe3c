package io.farnode.producer.machine.workload;

/**
 * A machine at work under a policy: what goes on between two looks of the tools. Each family has one. Made by
 * {@link Family#workload}, used by one thread, a function of its parameters.
 *
 * <p>A workload asserts the conservation laws of its machine itself, at every call of {@link #advance}; they stay on.
 */
abstract class Workload {
    /** Simulated time since the machine was switched on, ns. */
    long now;

    /**
     * Lets the machine run, and asserts its laws.
     *
     * @param until the moment to stop before, ns; not before {@link #now}
     * @throws IllegalStateException if the machine breaks one of its laws
     */
    abstract void advance(long until);

    /**
     * Says what happened since the last {@link #look}. Changes nothing.
     *
     * @param interval where to say it; empty
     */
    abstract void tell(Interval interval);

    /** Begins a new interval: what is counted goes back to zero. */
    abstract void look();

    /** {@return unit of its operations, in the singular, such as {@code IO}} */
    abstract String throughputUnit();

    /** {@return the event whose count is the number of operations; empty = there is none} */
    abstract String operationEvent();

    /** {@return whether it says which nodes pages come from, so that numastat has something to print} */
    boolean allocatesPages() {
        return false;
    }

    /**
     * Asserts a law of the machine.
     *
     * @param holds whether it holds
     * @param law the law, for the message
     * @throws IllegalStateException if it does not hold
     */
    final void law(boolean holds, String law) {
        if (!holds) {
            throw new IllegalStateException("simulated machine at " + now + " ns breaks: " + law);
        }
    }
}
