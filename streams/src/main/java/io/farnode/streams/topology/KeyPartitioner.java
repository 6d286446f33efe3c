package io.farnode.streams.topology;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.StreamPartitioner;

/** Places results so that what belongs together keeps its order: by some leading parts of the key. */
enum KeyPartitioner implements StreamPartitioner<byte[], byte[]> {
    /** By what stands before the first bar: windows by their run, verdicts by their experiment. */
    BY_FIRST_PART {
        @Override
        int end(byte[] key) {
            int bar = 0;
            while (bar < key.length && key[bar] != '|') {
                bar++;
            }
            return bar;
        }
    },
    /** By what stands before the last bar: summaries by their experiment. */
    BY_ALL_BUT_LAST_PART {
        @Override
        int end(byte[] key) {
            int bar = key.length - 1;
            while (bar >= 0 && key[bar] != '|') {
                bar--;
            }
            return bar < 0 ? key.length : bar;
        }
    };

    abstract int end(byte[] key);

    // Kafka 4.4 deprecates this in favour of one that sees headers, but leaves it abstract
    @Override
    @SuppressWarnings("removal")
    public Optional<Set<Integer>> partitions(String topic, byte[] key, byte[] value, int partitions) {
        byte[] hashed = key == null ? new byte[0] : Arrays.copyOf(key, end(key));
        return Optional.of(Set.of(Utils.toPositive(Utils.murmur2(hashed)) % partitions));
    }
}
