package io.farnode.producer.machine;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A NUMA machine as data: what is where, what an access costs, and what its tools show. Read from a text of
 * {@code key = value # where the value comes from}; the bundled ones are examples to copy. Immutable.
 */
public final class Machine {
    /** Most nodes a machine may have. */
    public static final int MAX_NODES = 64;

    private static final List<String> BUNDLED =
            List.of("d06-96", "d06-128", "thunderx2-224", "x5-4-144", "e5-2603v4-12", "small-2node");
    private static final Set<String> KEYS = Set.of(
            "name",
            "architecture",
            "cpu-model",
            "threads-per-core",
            "thread-numbers",
            "memory-nodes",
            "device-nodes",
            "local-events",
            "remote-events",
            "home-agent-events",
            "tick-hz",
            "ticks-traced",
            "clock-mhz",
            "memory-free-kib",
            "memory-buffer-kib",
            "memory-cache-kib");
    private static final Set<String> NUMBERED_KEYS =
            Set.of("node", "socket", "distance", "memory-ns", "line-ns", "bandwidth", "its", "home-agents");

    private final DataFile data;
    private final String name;
    private final String architecture;
    private final String cpuModel;
    private final List<CpuSet> nodeCpus;
    private final int[] nodeSocket;
    private final int[] cpuNode;
    private final int threadsPerCore;
    private final boolean threadsTogether;
    private final int[][] distances;
    private final double[][] memoryNanos;
    private final double[][] lineNanos;
    private final double[][] bandwidths;
    private final int[] memoryNode;
    private final int[] itsNode;
    private final int[] deviceNodes;
    private final List<List<String>> homeAgents;
    private final List<String> homeAgentEvents;
    private final List<String> localEvents;
    private final List<String> remoteEvents;
    private final int tickHz;
    private final boolean ticksTraced;
    private final int clockMhz;
    private final long memoryFreeKib;
    private final long memoryBufferKib;
    private final long memoryCacheKib;

    private Machine(DataFile data) {
        this.data = data;
        for (String key : data.keys()) {
            int dot = key.indexOf('.');
            if (!(dot < 0 ? KEYS.contains(key) : NUMBERED_KEYS.contains(key.substring(0, dot)))) {
                throw data.wrong(key, "a key of a machine; " + key + " is none");
            }
        }
        name = data.text("name");
        if (name.isEmpty()) {
            throw data.wrong("name", "a name");
        }
        architecture = data.text("architecture");
        cpuModel = data.text("cpu-model");
        int nodes = count(data, "node");
        if (nodes == 0) {
            throw new DataException(data.name() + ": node.0 is missing; a machine has at least one node");
        }
        nodeCpus = cpusOfNodes(data, nodes);
        int cpus = nodeCpus.stream().mapToInt(CpuSet::size).sum();
        cpuNode = new int[cpus];
        for (int node = 0; node < nodes; node++) {
            int of = node;
            nodeCpus.get(node).stream().forEach(cpu -> cpuNode[cpu] = of);
        }
        nodeSocket = new int[nodes];
        distances = new int[nodes][nodes];
        memoryNanos = new double[nodes][];
        lineNanos = new double[nodes][];
        bandwidths = new double[nodes][];
        homeAgents = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            nodeSocket[node] = (int) data.whole("socket." + node, 0, nodes - 1);
            double[] row = data.numbers("distance." + node, nodes, 10, 254);
            for (int to = 0; to < nodes; to++) {
                distances[node][to] = (int) row[to];
                if (row[to] != Math.rint(row[to]) || (node == to) != (row[to] == 10)) {
                    throw data.wrong("distance." + node, "whole numbers, 10 for the node itself and more for others");
                }
            }
            memoryNanos[node] = data.numbers("memory-ns." + node, nodes, 1, 100_000);
            lineNanos[node] = data.numbers("line-ns." + node, nodes, 1, 100_000);
            bandwidths[node] =
                    data.has("bandwidth." + node) ? data.numbers("bandwidth." + node, nodes, 0.001, 100_000) : null;
            homeAgents.add(words(data, "home-agents." + node));
        }
        List<String> agentEvents = words(data, "home-agent-events");
        homeAgentEvents = agentEvents.isEmpty() ? List.of("rx_ops_num", "rx_sccl", "rx_outer") : agentEvents;
        if (homeAgentEvents.size() > 3) {
            throw data.wrong("home-agent-events", "up to 3 names: all requests, of another die, of another socket");
        }
        localEvents = words(data, "local-events");
        remoteEvents = words(data, "remote-events");
        memoryNode = memoryNodes(data, distances);
        threadsPerCore = (int) data.whole("threads-per-core", 1, 8);
        if (cpus % threadsPerCore != 0) {
            throw data.wrong("threads-per-core", "a divisor of the " + cpus + " CPUs");
        }
        String numbers = data.has("thread-numbers") ? data.text("thread-numbers") : "apart";
        threadsTogether = numbers.equals("together");
        if (!threadsTogether && !numbers.equals("apart")) {
            throw data.wrong("thread-numbers", "apart (k, k + cores, ...) or together (2k, 2k + 1)");
        }
        for (int cpu = 0; cpu < cpus; cpu++) {
            CpuSet siblings = siblingsOf(cpu);
            if (!siblings.and(nodeCpus.get(cpuNode[cpu])).equals(siblings)) {
                throw data.wrong(
                        data.has("thread-numbers") ? "thread-numbers" : "threads-per-core",
                        "such that the threads of a core are on one node; those of a core here are CPUs " + siblings);
            }
        }
        itsNode = new int[count(data, "its")];
        for (int its = 0; its < itsNode.length; its++) {
            itsNode[its] = (int) data.whole("its." + its, -1, nodes - 1);
        }
        String[] words = data.text("device-nodes").split("\\s+");
        double[] slots = data.numbers("device-nodes", words.length, -1, nodes - 1);
        deviceNodes = new int[slots.length];
        for (int i = 0; i < slots.length; i++) {
            deviceNodes[i] = (int) slots[i];
        }
        tickHz = (int) data.whole("tick-hz", 1, 10_000);
        ticksTraced = data.flag("ticks-traced");
        clockMhz = (int) data.whole("clock-mhz", 1, 100_000);
        memoryFreeKib = data.whole("memory-free-kib", 0, 1L << 40);
        memoryBufferKib = data.whole("memory-buffer-kib", 0, 1L << 40);
        memoryCacheKib = data.whole("memory-cache-kib", 0, 1L << 40);
    }

    private static List<String> words(DataFile data, String key) {
        return data.has(key) ? List.of(data.text(key).split("\\s+")) : List.of();
    }

    /** For each node the node that its allocations fall back to: itself if it has memory. */
    private static int[] memoryNodes(DataFile data, int[][] distances) {
        int nodes = distances.length;
        boolean[] fitted = new boolean[nodes];
        Arrays.fill(fitted, !data.has("memory-nodes"));
        if (data.has("memory-nodes")) {
            int count = data.text("memory-nodes").split("\\s+").length;
            for (double node : data.numbers("memory-nodes", count, 0, nodes - 1)) {
                if (node != Math.rint(node) || fitted[(int) node]) {
                    throw data.wrong("memory-nodes", "node numbers, each once");
                }
                fitted[(int) node] = true;
            }
        }
        int[] nearest = new int[nodes];
        for (int node = 0; node < nodes; node++) {
            int best = -1;
            for (int other = 0; other < nodes; other++) {
                if (fitted[other] && (best < 0 || distances[node][other] < distances[node][best])) {
                    best = other;
                }
            }
            nearest[node] = best;
        }
        return nearest;
    }

    private static int count(DataFile data, String prefix) {
        int count = 0;
        while (data.has(prefix + "." + count)) {
            count++;
        }
        for (String key : data.keys()) {
            if (key.startsWith(prefix + ".")) {
                String number = key.substring(prefix.length() + 1);
                boolean inside = false;
                for (int i = 0; i < count; i++) {
                    inside |= number.equals(Integer.toString(i));
                }
                if (!inside) {
                    throw data.wrong(key, "numbered " + prefix + ".0, " + prefix + ".1, ... without gaps");
                }
            }
        }
        return count;
    }

    private static List<CpuSet> cpusOfNodes(DataFile data, int nodes) {
        if (nodes > MAX_NODES) {
            throw data.wrong("node." + (nodes - 1), "below node." + MAX_NODES);
        }
        List<CpuSet> sets = new ArrayList<>();
        CpuSet all = CpuSet.EMPTY;
        for (int node = 0; node < nodes; node++) {
            CpuSet set;
            try {
                set = CpuSet.parse(data.text("node." + node));
            } catch (IllegalArgumentException e) {
                throw data.wrong("node." + node, "a CPU list such as 0-31 (" + e.getMessage() + ")");
            }
            if (set.meets(all)) {
                throw data.wrong("node." + node, "CPUs of no other node; " + set.and(all) + " stands in two");
            }
            sets.add(set);
            all = all.or(set);
        }
        if (all.isEmpty() || !all.equals(CpuSet.range(0, all.size()))) {
            throw data.wrong(
                    "node.0",
                    "such that all nodes together hold the CPUs 0, 1, 2, ... without gaps, not \"" + all + "\"");
        }
        return Collections.unmodifiableList(sets);
    }

    /** {@return the names of the bundled machines} */
    public static List<String> names() {
        return BUNDLED;
    }

    /**
     * A bundled machine.
     *
     * @param name its name
     * @return the machine
     * @throws DataException if there is none of that name; the message lists those there are
     */
    public static Machine named(String name) {
        return new Machine(DataFile.bundled(Machine.class, bundled(name)));
    }

    /**
     * The text of a bundled machine, to be copied and edited.
     *
     * @param name its name
     * @return its file as it is, remarks and origins included
     * @throws DataException if there is none of that name; the message lists those there are
     */
    public static String text(String name) {
        return DataFile.bundledText(Machine.class, bundled(name));
    }

    private static String bundled(String name) {
        if (!BUNDLED.contains(name)) {
            throw new DataException("unknown machine \"" + name + "\": known are " + String.join(", ", BUNDLED));
        }
        return name + ".machine";
    }

    /**
     * Reads a machine.
     *
     * @param name what the messages call the text: a file's name
     * @param text the text; read to its end, not closed
     * @return the machine
     * @throws IOException if it cannot be read
     * @throws DataException if it describes no machine; the message names line, field and value
     */
    public static Machine read(String name, Reader text) throws IOException {
        return new Machine(DataFile.read(name, text));
    }

    /** {@return the text it was read from, with the origin of each number} */
    public DataFile data() {
        return data;
    }

    /** {@return its name} */
    public String name() {
        return name;
    }

    /** {@return the architecture as {@code uname -m} prints it} */
    public String architecture() {
        return architecture;
    }

    /** {@return the CPU model that decides how its events are read} */
    public String cpuModel() {
        return cpuModel;
    }

    /** {@return how many CPUs it has} */
    public int cpus() {
        return cpuNode.length;
    }

    /** {@return how many nodes it has} */
    public int nodes() {
        return nodeSocket.length;
    }

    /** {@return all its CPUs} */
    public CpuSet allCpus() {
        return CpuSet.range(0, cpuNode.length);
    }

    /**
     * The node of a CPU.
     *
     * @param cpu the CPU
     * @return its node
     */
    public int nodeOf(int cpu) {
        return cpuNode[cpu];
    }

    /**
     * The CPUs of a node.
     *
     * @param node the node
     * @return its CPUs; empty for a node that has memory only
     */
    public CpuSet cpusOf(int node) {
        return nodeCpus.get(node);
    }

    /**
     * The socket of a node.
     *
     * @param node the node
     * @return its socket
     */
    public int socketOf(int node) {
        return nodeSocket[node];
    }

    /**
     * The CPUs that share a core with a CPU, itself included. Thread t of core k is CPU k + t * cores, as most firmware
     * numbers them, or, with {@code thread-numbers = together}, CPU k * threads + t.
     *
     * @param cpu the CPU
     * @return the threads of its core
     */
    public CpuSet siblingsOf(int cpu) {
        if (threadsTogether) {
            int first = cpu - cpu % threadsPerCore;
            return CpuSet.range(first, first + threadsPerCore);
        }
        int cores = cpuNode.length / threadsPerCore;
        CpuSet siblings = CpuSet.EMPTY;
        for (int thread = 0; thread < threadsPerCore; thread++) {
            siblings = siblings.with(cpu % cores + thread * cores);
        }
        return siblings;
    }

    /**
     * The firmware's distance (SLIT).
     *
     * @param from a node
     * @param to a node
     * @return the distance; 10 = the node itself
     */
    public int distance(int from, int to) {
        return distances[from][to];
    }

    /**
     * What a read from DRAM takes.
     *
     * @param from the node of the CPU
     * @param to the node of the memory
     * @return ns
     */
    public double memoryNanos(int from, int to) {
        return memoryNanos[from][to];
    }

    /**
     * What it takes to get a cache line that another CPU holds.
     *
     * @param from the node of the CPU that wants it
     * @param to the node of the CPU that holds it
     * @return ns
     */
    public double lineNanos(int from, int to) {
        return lineNanos[from][to];
    }

    /**
     * What one core reads or copies at most.
     *
     * @param from the node of the core
     * @param to the node of the memory
     * @return GB/s (10^9 bytes); 0 = the machine's text does not say
     */
    public double bandwidth(int from, int to) {
        return bandwidths[from] == null ? 0 : bandwidths[from][to];
    }

    /**
     * Whether a node has memory. The machine's {@code memory-nodes} says which have; all if it says nothing.
     *
     * @param node the node
     * @return whether DIMMs are fitted there
     */
    public boolean hasMemory(int node) {
        return memoryNode[node] == node;
    }

    /**
     * Where the kernel's allocator goes for memory that is wanted from a node: the node itself or, if it has no memory,
     * the nearest by SLIT that has, the lowest number on ties (mm/page_alloc.c, build_zonelists).
     *
     * @param node the node
     * @return the node that gives the memory
     */
    public int memoryNodeFor(int node) {
        return memoryNode[node];
    }

    /**
     * A copy with one value of its text changed, such as {@code memory-nodes} for other DIMMs.
     *
     * @param key a key of a machine
     * @param value its value, as it would stand in the text
     * @return the copy
     * @throws DataException if there is no such key, or its value cannot be
     */
    public Machine with(String key, String value) {
        return new Machine(data.with(key, value));
    }

    /** {@return how many interrupt translation services (GIC ITS) it has; 0 for machines with another controller} */
    public int itsCount() {
        return itsNode.length;
    }

    /**
     * The node of an ITS.
     *
     * @param its its number
     * @return its node; -1 if the firmware says none
     */
    public int nodeOfIts(int its) {
        return itsNode[its];
    }

    /**
     * The ITS that serves devices of a node: the nearest by SLIT, the lowest number on ties.
     *
     * @param node the device's node; -1 = none said, which gives ITS 0
     * @return its number
     */
    public int itsNear(int node) {
        int best = 0;
        for (int its = 1; node >= 0 && its < itsNode.length; its++) {
            if (itsNode[its] >= 0
                    && (itsNode[best] < 0 || distance(node, itsNode[its]) < distance(node, itsNode[best]))) {
                best = its;
            }
        }
        return best;
    }

    /**
     * The node that a device sits on.
     *
     * @param slot number of the device, from 0; slots repeat
     * @return its node; -1 if the firmware says none
     */
    public int nodeOfDevice(int slot) {
        return deviceNodes[slot % deviceNodes.length];
    }

    /**
     * The performance-monitoring units of a node's home agents (HiSilicon HHA), as perf names them.
     *
     * @param node the node
     * @return their names; empty if the machine has none
     */
    public List<String> homeAgentsOf(int node) {
        return homeAgents.get(node);
    }

    /**
     * The events of those units, as perf names them.
     *
     * @return names for: all requests; those of another die of the same socket; those of another socket; 1 to 3 of them
     */
    public List<String> homeAgentEvents() {
        return homeAgentEvents;
    }

    /** {@return the CPUs' events for loads served by memory of their own node, as perf names them; may be empty} */
    public List<String> localEvents() {
        return localEvents;
    }

    /** {@return the CPUs' events for loads served by another node, as perf names them; may be empty} */
    public List<String> remoteEvents() {
        return remoteEvents;
    }

    /** {@return timer ticks per second of a busy CPU} */
    public int tickHz() {
        return tickHz;
    }

    /** {@return whether {@code irq:irq_handler_entry} counts timer ticks too} */
    public boolean ticksTraced() {
        return ticksTraced;
    }

    /** {@return clock of the CPUs in MHz} */
    public int clockMhz() {
        return clockMhz;
    }

    /** {@return free memory in KiB, vmstat's {@code free}} */
    public long memoryFreeKib() {
        return memoryFreeKib;
    }

    /** {@return memory used as buffers in KiB, vmstat's {@code buff}} */
    public long memoryBufferKib() {
        return memoryBufferKib;
    }

    /** {@return memory used as cache in KiB, vmstat's {@code cache}} */
    public long memoryCacheKib() {
        return memoryCacheKib;
    }

    /** {@return what the telemetry says about the machine} */
    public io.farnode.telemetry.Machine describe() {
        List<Integer> nodesOfCpus = new ArrayList<>();
        for (int node : cpuNode) {
            nodesOfCpus.add(node);
        }
        List<Integer> slit = new ArrayList<>();
        List<Double> nanos = new ArrayList<>();
        for (int from = 0; from < nodes(); from++) {
            for (int to = 0; to < nodes(); to++) {
                slit.add(distances[from][to]);
                nanos.add(memoryNanos[from][to]);
            }
        }
        return new io.farnode.telemetry.Machine(name, architecture, cpuModel, nodesOfCpus, slit, nanos);
    }

    /** {@return the sockets that have a node} */
    public int sockets() {
        Set<Integer> sockets = new HashSet<>();
        for (int socket : nodeSocket) {
            sockets.add(socket);
        }
        return sockets.size();
    }
}
