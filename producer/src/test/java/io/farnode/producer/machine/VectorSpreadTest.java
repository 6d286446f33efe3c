package io.farnode.producer.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class VectorSpreadTest {
    @Test
    void shouldGiveTheMasksThatTheTracedKernelPrintedForEachDisk() {
        Map<String, List<String>> printed = new TreeMap<>();
        String disk = "";
        for (String line : TracedMachine.lines("devices.txt")) {
            if (line.startsWith("== nvme")) {
                disk = line.split(" ")[1];
            } else if (line.contains("hctx ")) {
                String owner = line.startsWith("hctx") ? disk : "vda";
                printed.computeIfAbsent(owner, d -> new ArrayList<>())
                        .add(CpuSet.parse(line.substring(line.indexOf("cpu_list ") + 9))
                                .toString());
            }
        }
        assertThat(printed).containsOnlyKeys("nvme0", "nvme1", "nvme2", "nvme3", "vda");
        assertThat(printed.values()).extracting(List::size).containsExactly(8, 8, 6, 3, 4);
        printed.forEach((name, masks) -> assertThat(masksOf(TracedMachine.machine(), masks.size()))
                .as(name)
                .isEqualTo(masks));
    }

    @Test
    void shouldGiveTheMasksOfNode1ThatThePostShowsForTwentyQueues() {
        assertThat(masksOf(Machine.named("d06-128"), 20))
                .hasSize(20)
                .startsWith("32-38", "39-45", "46-51", "52-57", "58-63");
    }

    @Test
    void shouldServeSmallNodesFirstAndInProportion() {
        // 24 CPUs, 6 vectors: the node of 8 gets 6*8/24 = 2, the node of 16 the rest
        assertThat(masksOf(machine(16, 8), 6)).containsExactly("16-19", "20-23", "0-3", "4-7", "8-11", "12-15");
    }

    @Test
    void shouldKeepTheThreadsOfACoreTogether() {
        assertThat(masksOf(machine("threads-per-core = 2", "0-1,4-5", "2-3,6-7"), 4))
                .containsExactlyInAnyOrder("0,4", "1,5", "2,6", "3,7");
        assertThat(masksOf(machine("threads-per-core = 2\nthread-numbers = together", "0-3", "4-7"), 4))
                .containsExactlyInAnyOrder("0-1", "2-3", "4-5", "6-7");
    }

    @Test
    void shouldLeaveVectorsWithoutCpuWhenThereAreMoreThanCpus() {
        assertThat(masksOf(machine(2, 2), 6)).containsExactly("2", "3", "0", "1", "", "");
    }

    @Test
    void shouldRefuseToSpreadNothing() {
        assertThatThrownBy(() -> VectorSpread.masks(machine(2, 2), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a device with 0 vectors has nothing to spread");
    }

    @Property(tries = 200)
    void shouldGiveEveryCpuToExactlyOneVectorOfItsNode(
            @ForAll @Size(min = 1, max = 6) List<@IntRange(min = 1, max = 20) Integer> sizes,
            @ForAll @IntRange(min = 1, max = 40) int vectors) {
        Machine machine = machine(sizes.stream().mapToInt(Integer::intValue).toArray());
        List<CpuSet> masks = VectorSpread.masks(machine, vectors);
        assertThat(masks).hasSize(vectors);
        assertThat(masks.stream().mapToInt(CpuSet::size).sum()).isEqualTo(machine.cpus());
        assertThat(masks.stream().reduce(CpuSet.EMPTY, CpuSet::or)).isEqualTo(machine.allCpus());
        if (vectors > machine.nodes()) {
            assertThat(masks)
                    .allSatisfy(mask -> assertThat(mask.stream()
                                    .map(machine::nodeOf)
                                    .distinct()
                                    .count())
                            .isLessThanOrEqualTo(1));
        }
        if (vectors <= machine.cpus()) {
            assertThat(masks).noneMatch(CpuSet::isEmpty);
        }
    }

    private static List<String> masksOf(Machine machine, int vectors) {
        return VectorSpread.masks(machine, vectors).stream()
                .map(CpuSet::toString)
                .toList();
    }

    /** A machine with nodes of these sizes, CPUs numbered through. */
    static Machine machine(int... sizes) {
        String[] lists = new String[sizes.length];
        int from = 0;
        for (int node = 0; node < sizes.length; node++) {
            lists[node] = CpuSet.range(from, from + sizes[node]).toString();
            from += sizes[node];
        }
        return machine("threads-per-core = 1", lists);
    }

    private static Machine machine(String threads, String... lists) {
        StringBuilder text = new StringBuilder("name = test\narchitecture = aarch64\ncpu-model = test\n"
                + "its.0 = -1\ndevice-nodes = -1\ntick-hz = 250\nticks-traced = on\nclock-mhz = 1000\n"
                + "memory-free-kib = 1\nmemory-buffer-kib = 1\nmemory-cache-kib = 1\n" + threads + "\n");
        for (int node = 0; node < lists.length; node++) {
            StringBuilder row = new StringBuilder();
            StringBuilder nanos = new StringBuilder();
            for (int to = 0; to < lists.length; to++) {
                row.append(to == node ? " 10" : " 20");
                nanos.append(to == node ? " 80" : " 140");
            }
            text.append("node." + node + " = " + lists[node] + "\nsocket." + node + " = " + node + "\ndistance." + node
                    + " =" + row + "\nmemory-ns." + node + " =" + nanos + "\nline-ns." + node + " =" + nanos + "\n");
        }
        try {
            return Machine.read("test.machine", new StringReader(text.toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
