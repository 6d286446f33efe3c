package io.farnode.producer.machine;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * A set of CPU numbers, written as the kernel writes its lists: {@code 0-7,24-31}. Immutable; iteration is in ascending
 * order.
 */
public final class CpuSet {
    /** The set without CPUs. */
    public static final CpuSet EMPTY = new CpuSet(new BitSet());

    /** Highest CPU number a list may name. */
    public static final int MAX_CPU = 1023;

    private final BitSet bits;

    private CpuSet(BitSet bits) {
        this.bits = bits;
    }

    /**
     * The CPUs of a range.
     *
     * @param from the first
     * @param to the first that is not in it
     * @return the set
     */
    public static CpuSet range(int from, int to) {
        BitSet bits = new BitSet();
        bits.set(from, to);
        return new CpuSet(bits);
    }

    /**
     * The CPUs named.
     *
     * @param cpus their numbers
     * @return the set
     */
    public static CpuSet of(int... cpus) {
        BitSet bits = new BitSet();
        Arrays.stream(cpus).forEach(bits::set);
        return new CpuSet(bits);
    }

    /**
     * Reads a list as the kernel writes it, {@code 0-3,8,12-15}; the empty text is the empty set.
     *
     * @param text the list
     * @return the set
     * @throws IllegalArgumentException if the text is no list, a range runs backwards or a number is above
     *     {@link #MAX_CPU}
     */
    public static CpuSet parse(String text) {
        BitSet bits = new BitSet();
        if (text.isBlank()) {
            return EMPTY;
        }
        for (String part : text.strip().split(",", -1)) {
            int dash = part.indexOf('-');
            int from = number(text, dash < 0 ? part : part.substring(0, dash));
            int to = dash < 0 ? from : number(text, part.substring(dash + 1));
            if (to < from) {
                throw new IllegalArgumentException("\"" + text + "\" is no CPU list: " + part + " runs backwards");
            }
            bits.set(from, to + 1);
        }
        return new CpuSet(bits);
    }

    private static int number(String list, String digits) {
        String trimmed = digits.strip();
        int value = -1;
        if (!trimmed.isEmpty() && trimmed.length() <= 4 && trimmed.chars().allMatch(c -> c >= '0' && c <= '9')) {
            value = Integer.parseInt(trimmed);
        }
        if (value < 0 || value > MAX_CPU) {
            throw new IllegalArgumentException("\"" + list + "\" is no CPU list: \"" + trimmed
                    + "\" is no CPU number from 0 to " + MAX_CPU + "; write 0-3,8");
        }
        return value;
    }

    /**
     * The CPUs that are in both sets.
     *
     * @param other the other set
     * @return the intersection
     */
    public CpuSet and(CpuSet other) {
        BitSet result = (BitSet) bits.clone();
        result.and(other.bits);
        return new CpuSet(result);
    }

    /**
     * The CPUs that are in one of the sets.
     *
     * @param other the other set
     * @return the union
     */
    public CpuSet or(CpuSet other) {
        BitSet result = (BitSet) bits.clone();
        result.or(other.bits);
        return new CpuSet(result);
    }

    /**
     * This set with a CPU more.
     *
     * @param cpu the CPU
     * @return the larger set
     */
    public CpuSet with(int cpu) {
        BitSet result = (BitSet) bits.clone();
        result.set(cpu);
        return new CpuSet(result);
    }

    /**
     * This set with a CPU less.
     *
     * @param cpu the CPU
     * @return the smaller set
     */
    public CpuSet without(int cpu) {
        BitSet result = (BitSet) bits.clone();
        result.clear(cpu);
        return new CpuSet(result);
    }

    /**
     * Whether a CPU is in the set.
     *
     * @param cpu the CPU
     * @return whether it is
     */
    public boolean contains(int cpu) {
        return bits.get(cpu);
    }

    /**
     * Whether the sets share a CPU.
     *
     * @param other the other set
     * @return whether they do
     */
    public boolean meets(CpuSet other) {
        return bits.intersects(other.bits);
    }

    /** {@return whether no CPU is in it} */
    public boolean isEmpty() {
        return bits.isEmpty();
    }

    /** {@return how many CPUs are in it} */
    public int size() {
        return bits.cardinality();
    }

    /** {@return the lowest CPU, or -1 if the set is empty} */
    public int first() {
        return bits.nextSetBit(0);
    }

    /**
     * The lowest CPU above another.
     *
     * @param cpu the other, or -1
     * @return the next one, or -1 if there is none
     */
    public int next(int cpu) {
        return bits.nextSetBit(cpu + 1);
    }

    /** {@return the CPUs in ascending order} */
    public IntStream stream() {
        return bits.stream();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CpuSet set && set.bits.equals(bits);
    }

    @Override
    public int hashCode() {
        return bits.hashCode();
    }

    /** {@return the list as the kernel writes it, {@code 0-7,24-31}; empty for no CPUs} */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int from = bits.nextSetBit(0); from >= 0; ) {
            int end = bits.nextClearBit(from);
            if (text.length() > 0) {
                text.append(',');
            }
            text.append(from);
            if (end - 1 > from) {
                text.append('-').append(end - 1);
            }
            from = bits.nextSetBit(end);
        }
        return text.toString();
    }
}
