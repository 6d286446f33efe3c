package io.farnode.streams.window;

import java.util.AbstractList;
import java.util.RandomAccess;

/** Arrays as the lists that generated classes take, without a copy. */
final class Numbers {
    private Numbers() {}

    /** Doubles. */
    static final class Doubles extends AbstractList<Double> implements RandomAccess {
        private final double[] values;
        private final int size;

        Doubles(double[] values, int size) {
            this.values = values;
            this.size = size;
        }

        @Override
        public Double get(int index) {
            return values[index];
        }

        @Override
        public int size() {
            return size;
        }
    }

    /** Longs. */
    static final class Longs extends AbstractList<Long> implements RandomAccess {
        private final long[] values;
        private final int size;

        Longs(long[] values, int size) {
            this.values = values;
            this.size = size;
        }

        @Override
        public Long get(int index) {
            return values[index];
        }

        @Override
        public int size() {
            return size;
        }
    }

    /** Ints. */
    static final class Ints extends AbstractList<Integer> implements RandomAccess {
        private final int[] values;
        private final int size;

        Ints(int[] values, int size) {
            this.values = values;
            this.size = size;
        }

        @Override
        public Integer get(int index) {
            return values[index];
        }

        @Override
        public int size() {
            return size;
        }
    }

    /** Doubles, narrowed to floats. */
    static final class Floats extends AbstractList<Float> implements RandomAccess {
        private final double[] values;
        private final int size;

        Floats(double[] values, int size) {
            this.values = values;
            this.size = size;
        }

        @Override
        public Float get(int index) {
            return (float) values[index];
        }

        @Override
        public int size() {
            return size;
        }
    }
}
