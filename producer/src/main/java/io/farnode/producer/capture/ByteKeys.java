package io.farnode.producer.capture;

import java.util.Arrays;

/**
 * Looks things up by bytes as they stand in a line, without making a text of them first.
 *
 * @param <T> what is looked up
 */
final class ByteKeys<T> {
    private byte[][] keys = new byte[64][];
    private Object[] values = new Object[64];
    private int size;

    /** {@return what is known under these bytes, or null} */
    @SuppressWarnings("unchecked")
    T get(byte[] bytes, int from, int to) {
        int at = slot(keys, bytes, from, to);
        return (T) values[at];
    }

    /** Remembers something under a copy of these bytes. */
    void put(byte[] bytes, int from, int to, T value) {
        if (size * 2 >= keys.length) {
            grow();
        }
        int at = slot(keys, bytes, from, to);
        if (keys[at] == null) {
            keys[at] = Arrays.copyOfRange(bytes, from, to);
            size++;
        }
        values[at] = value;
    }

    private static int slot(byte[][] keys, byte[] bytes, int from, int to) {
        int mask = keys.length - 1;
        int hash = 1;
        for (int i = from; i < to; i++) {
            hash = hash * 31 + bytes[i];
        }
        int at = (hash ^ hash >>> 15) & mask;
        while (keys[at] != null && !Arrays.equals(keys[at], 0, keys[at].length, bytes, from, to)) {
            at = at + 1 & mask;
        }
        return at;
    }

    private void grow() {
        byte[][] moreKeys = new byte[keys.length * 2][];
        Object[] moreValues = new Object[moreKeys.length];
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] != null) {
                int at = slot(moreKeys, keys[i], 0, keys[i].length);
                moreKeys[at] = keys[i];
                moreValues[at] = values[i];
            }
        }
        keys = moreKeys;
        values = moreValues;
    }
}
