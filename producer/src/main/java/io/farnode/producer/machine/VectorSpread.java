package io.farnode.producer.machine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How the kernel spreads the managed vectors of a device over the CPUs: {@code irq_build_affinity_masks} of
 * {@code kernel/irq/affinity.c}, Linux 5.4 to 6.2 (later moved to {@code lib/group_cpus.c}).
 *
 * <p>Nodes get vectors in proportion to their CPUs, the smallest node first. Nodes of the same size come in the order in
 * which the kernel's heap sort, which is not stable, leaves them: that is why the first mask of a machine with four equal
 * nodes lies on node 1.
 */
public final class VectorSpread {
    private VectorSpread() {}

    /**
     * The masks of a device's managed vectors.
     *
     * @param machine the machine; all its CPUs are present
     * @param vectors how many vectors there are, at least 1
     * @return one mask for each vector
     */
    public static List<CpuSet> masks(Machine machine, int vectors) {
        if (vectors < 1) {
            throw new IllegalArgumentException("a device with " + vectors + " vectors has nothing to spread");
        }
        CpuSet[] masks = new CpuSet[vectors];
        Arrays.fill(masks, CpuSet.EMPTY);
        int nodesWithCpus = 0;
        for (int node = 0; node < machine.nodes(); node++) {
            nodesWithCpus += machine.cpusOf(node).isEmpty() ? 0 : 1;
        }
        int current = 0;
        if (vectors <= nodesWithCpus) {
            for (int node = 0; node < machine.nodes(); node++) {
                if (!machine.cpusOf(node).isEmpty()) {
                    masks[current] = masks[current].or(machine.cpusOf(node));
                    current = (current + 1) % vectors;
                }
            }
            return List.of(masks);
        }
        int[] order = nodesBySize(machine);
        int cpusLeft = machine.cpus();
        // more vectors than CPUs: the rest stay without a CPU
        int vectorsLeft = Math.min(cpusLeft, vectors);
        int[] vectorsOf = new int[machine.nodes()];
        for (int node : order) {
            int cpus = machine.cpusOf(node).size();
            if (cpus > 0) {
                vectorsOf[node] = Math.max(1, vectorsLeft * cpus / cpusLeft);
                cpusLeft -= cpus;
                vectorsLeft -= vectorsOf[node];
            }
        }
        for (int node : order) {
            CpuSet left = machine.cpusOf(node);
            int cpus = left.size();
            int extra = vectorsOf[node] == 0 ? 0 : cpus % vectorsOf[node];
            for (int v = 0; v < vectorsOf[node]; v++, current++) {
                int share = cpus / vectorsOf[node] + (v < extra ? 1 : 0);
                CpuSet taken = take(machine, left, share);
                masks[current] = taken;
                left = minus(left, taken);
            }
        }
        return List.of(masks);
    }

    /** Takes CPUs from the low end; the threads of a core stay together where they fit. */
    private static CpuSet take(Machine machine, CpuSet from, int share) {
        CpuSet left = from;
        CpuSet taken = CpuSet.EMPTY;
        while (taken.size() < share && !left.isEmpty()) {
            int cpu = left.first();
            List<Integer> core = new ArrayList<>(List.of(cpu));
            machine.siblingsOf(cpu).stream().filter(s -> s != cpu).forEach(core::add);
            for (int thread : core) {
                if (taken.size() < share && left.contains(thread)) {
                    taken = taken.with(thread);
                    left = left.without(thread);
                }
            }
        }
        return taken;
    }

    private static CpuSet minus(CpuSet from, CpuSet taken) {
        CpuSet left = from;
        for (int cpu = taken.first(); cpu >= 0; cpu = taken.next(cpu)) {
            left = left.without(cpu);
        }
        return left;
    }

    /**
     * The nodes by number of CPUs, ascending, as {@code lib/sort.c} leaves them: a bottom-up heap sort. Nodes without
     * CPUs count as UINT_MAX and the comparison is a 32-bit difference that wraps, so they come first; they get nothing,
     * but they change the order of the others.
     */
    private static int[] nodesBySize(Machine machine) {
        int n = machine.nodes();
        int[] node = new int[n];
        int[] size = new int[n];
        for (int i = 0; i < n; i++) {
            node[i] = i;
            int cpus = machine.cpusOf(i).size();
            size[i] = cpus == 0 ? -1 : cpus;
        }
        int a = n / 2;
        int end = n;
        if (a == 0) {
            return node;
        }
        while (true) {
            if (a > 0) {
                a--;
            } else {
                end--;
                if (end == 0) {
                    return node;
                }
                swap(node, size, 0, end);
            }
            int b = a;
            int c = 2 * b + 1;
            int d = c + 1;
            while (d < end) {
                b = size[c] - size[d] >= 0 ? c : d;
                c = 2 * b + 1;
                d = c + 1;
            }
            if (d == end) {
                b = c;
            }
            while (b != a && size[a] - size[b] >= 0) {
                b = (b - 1) / 2;
            }
            c = b;
            while (b != a) {
                b = (b - 1) / 2;
                swap(node, size, b, c);
            }
        }
    }

    private static void swap(int[] node, int[] size, int i, int j) {
        int keptNode = node[i];
        node[i] = node[j];
        node[j] = keptNode;
        int keptSize = size[i];
        size[i] = size[j];
        size[j] = keptSize;
    }
}
