package io.farnode.streams.window;

import java.util.AbstractList;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.RandomAccess;

/**
 * Arrays as the lists that generated classes take, without a copy. Their iterators check nothing that cannot happen:
 * encoding walks these lists, which is most of what a window costs.
 *
 * @param <T> type of the numbers
 */
abstract class Numbers<T> extends AbstractList<T> implements RandomAccess {
    private final int size;

    Numbers(int size) {
        this.size = size;
    }

    @Override
    public final int size() {
        return size;
    }

    @Override
    public final Iterator<T> iterator() {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < size;
            }

            @Override
            public T next() {
                if (next >= size) {
                    throw new NoSuchElementException();
                }
                return get(next++);
            }
        };
    }

    /** Doubles. */
    static final class Doubles extends Numbers<Double> {
        private final double[] values;

        Doubles(double[] values, int size) {
            super(size);
            this.values = values;
        }

        /** {@return the numbers, and perhaps more behind them} */
        double[] values() {
            return values;
        }

        @Override
        public Double get(int index) {
            return values[index];
        }
    }

    /** Longs. */
    static final class Longs extends Numbers<Long> {
        private final long[] values;

        Longs(long[] values, int size) {
            super(size);
            this.values = values;
        }

        /** {@return the numbers, and perhaps more behind them} */
        long[] values() {
            return values;
        }

        @Override
        public Long get(int index) {
            return values[index];
        }
    }

    /** Ints. */
    static final class Ints extends Numbers<Integer> {
        private final int[] values;

        Ints(int[] values, int size) {
            super(size);
            this.values = values;
        }

        @Override
        public Integer get(int index) {
            return values[index];
        }
    }

    /** Doubles, narrowed to floats. */
    static final class Floats extends Numbers<Float> {
        private final double[] values;

        Floats(double[] values, int size) {
            super(size);
            this.values = values;
        }

        @Override
        public Float get(int index) {
            return (float) values[index];
        }
    }
}
