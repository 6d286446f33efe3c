package io.farnode.producer.machine;

import java.util.function.IntUnaryOperator;

/**
 * The rule by which the ITS driver chooses the CPU that an LPI is delivered to: the part of
 * {@code drivers/irqchip/irq-gic-v3-its.c} that a policy replaces. {@link LpiRouting} does all the rest.
 */
public interface LpiTargetRule {
    /**
     * One choice.
     *
     * @param managed whether the kernel owns the interrupt's affinity
     * @param mask the CPUs asked for
     * @param online the CPUs that are online
     * @param nodeCpus the CPUs of the ITS's node; null if the firmware says none
     * @param count how many LPIs of the same kind (managed, unmanaged) are counted on a CPU now
     */
    record Choice(boolean managed, CpuSet mask, CpuSet online, CpuSet nodeCpus, IntUnaryOperator count) {}

    /**
     * Chooses when an LPI is activated, which is when the vectors of its device are allocated.
     *
     * @param choice the choice; its mask is all online CPUs
     * @return the CPU
     */
    int onActivate(Choice choice);

    /**
     * Chooses when an affinity is set: at the request of the interrupt, by a driver, by hand, or when a CPU goes offline.
     *
     * @param choice the choice
     * @return the CPU; -1 if there is none, and the LPI stays where it is
     */
    int onSetAffinity(Choice choice);

    /**
     * {@return whether an LPI still counts on its old CPU while a new one is chosen}
     */
    default boolean countsOldTarget() {
        return false;
    }
}
