package io.farnode.producer.machine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A device with MSI vectors, bound to its driver and unbound again: which vectors the driver allocates, in which order,
 * which of them the kernel manages. The order decides where LPIs go, because unsettled ones count too.
 *
 * <p>When a driver asks for managed vectors, all descriptors of the device are made with a mask: the unmanaged ones among
 * them (NVMe's admin queue, virtio's configuration) get the default mask, and with it the node of its first CPU instead
 * of the device's ({@code alloc_descs} in {@code kernel/irq/irqdesc.c}). So they are requested on the CPUs of CPU 0's
 * node.
 */
public final class MsiDevice {
    private final String name;
    private final int its;
    private final int node;
    private final Driver driver;
    private final int queues;
    private final List<String> plainVectors;
    private final List<Lpi> vectors = new ArrayList<>();
    private LpiRouting routing;
    private Runnable hotplug;
    private int pairsInUse;

    private enum Driver {
        NVME,
        VIRTIO_BLK,
        VIRTIO_NET,
        PLAIN
    }

    private MsiDevice(String name, int its, int node, Driver driver, int queues, List<String> plainVectors) {
        this.name = name;
        this.its = its;
        this.node = node;
        this.driver = driver;
        this.queues = queues;
        this.plainVectors = plainVectors;
        if (queues < 0 || (queues == 0 && driver != Driver.PLAIN)) {
            throw new IllegalArgumentException(name + " has " + queues + " queues; it needs at least 1");
        }
    }

    /**
     * An NVMe drive. Its vectors: {@code NAMEq0} for the admin queue, then a managed one for each I/O queue.
     *
     * @param name its name, such as {@code nvme0}
     * @param its the ITS its messages go to
     * @param node its node, or -1
     * @param ioQueues how many I/O queues it has, at least 1; no more than there are CPUs are used
     * @return the device, not bound
     */
    public static MsiDevice nvme(String name, int its, int node, int ioQueues) {
        return new MsiDevice(name, its, node, Driver.NVME, ioQueues, List.of());
    }

    /**
     * A virtio disk. Its vectors: {@code NAME-config}, then a managed {@code NAME-req.N} for each queue.
     *
     * @param name its name, such as {@code virtio0}
     * @param its the ITS its messages go to
     * @param node its node, or -1
     * @param queues how many queues it has, at least 1
     * @return the device, not bound
     */
    public static MsiDevice virtioBlk(String name, int its, int node, int queues) {
        return new MsiDevice(name, its, node, Driver.VIRTIO_BLK, queues, List.of());
    }

    /**
     * A virtio network card. Its vectors: {@code NAME-config}, then {@code NAME-input.N} and {@code NAME-output.N} for each
     * pair of queues, none managed; the driver spreads them over the online CPUs itself, also after hotplug.
     *
     * @param name its name, such as {@code virtio1}
     * @param its the ITS its messages go to
     * @param node its node, or -1
     * @param pairs how many pairs of queues it has, at least 1
     * @return the device, not bound
     */
    public static MsiDevice virtioNet(String name, int its, int node, int pairs) {
        return new MsiDevice(name, its, node, Driver.VIRTIO_NET, pairs, List.of());
    }

    /**
     * A device whose driver asks for vectors and leaves their affinity alone.
     *
     * @param name its name, such as {@code virtio2}
     * @param its the ITS its messages go to
     * @param node its node, or -1
     * @param vectors what follows the name and a dash in the vectors' names, in order
     * @return the device, not bound
     */
    public static MsiDevice plain(String name, int its, int node, List<String> vectors) {
        return new MsiDevice(name, its, node, Driver.PLAIN, 0, List.copyOf(vectors));
    }

    /** {@return its name} */
    public String name() {
        return name;
    }

    /** {@return its node, or -1} */
    public int node() {
        return node;
    }

    /** {@return its vectors in order; none when not bound} */
    public List<Lpi> vectors() {
        return Collections.unmodifiableList(vectors);
    }

    /**
     * Binds the device to its driver.
     *
     * @param where the machine's routing
     */
    public void bind(LpiRouting where) {
        if (routing != null) {
            throw new IllegalStateException(name + " is bound already");
        }
        routing = where;
        Machine machine = where.machine();
        int nodeOfDefaultMask = machine.nodeOf(0);
        switch (driver) {
            case NVME -> {
                // the admin queue alone, to ask the drive how many queues it has
                Lpi probe = where.allocateUnmanaged(name + "q0", its, node);
                where.activate(probe);
                where.request(probe);
                where.free(probe);
                vectors.add(where.allocateUnmanaged(name + "q0", its, nodeOfDefaultMask));
                allocateManaged(machine, name + "q", 1, Math.min(queues, machine.cpus()));
            }
            case VIRTIO_BLK -> {
                vectors.add(where.allocateUnmanaged(name + "-config", its, nodeOfDefaultMask));
                allocateManaged(machine, name + "-req.", 0, Math.min(queues, machine.cpus()));
            }
            case VIRTIO_NET -> {
                vectors.add(where.allocateUnmanaged(name + "-config", its, node));
                for (int pair = 0; pair < queues; pair++) {
                    vectors.add(where.allocateUnmanaged(name + "-input." + pair, its, node));
                    vectors.add(where.allocateUnmanaged(name + "-output." + pair, its, node));
                }
            }
            case PLAIN ->
                plainVectors.forEach(vector -> vectors.add(where.allocateUnmanaged(name + "-" + vector, its, node)));
        }
        vectors.forEach(where::activate);
        vectors.forEach(where::request);
        if (driver == Driver.VIRTIO_NET) {
            pairsInUse = Math.min(queues, where.online().size());
            hotplug = this::hintAffinity;
            where.addHotplugListener(hotplug);
            hintAffinity();
        }
    }

    private void allocateManaged(Machine machine, String prefix, int firstNumber, int count) {
        List<CpuSet> masks = VectorSpread.masks(machine, count);
        for (int i = 0; i < count; i++) {
            vectors.add(routing.allocateManaged(prefix + (firstNumber + i), its, masks.get(i)));
        }
    }

    /** virtnet_set_affinity: the online CPUs in order, in groups of nearly equal size, one group a pair. */
    private void hintAffinity() {
        CpuSet online = routing.online();
        int stride = Math.max(online.size() / pairsInUse, 1);
        int stragglers = online.size() >= pairsInUse ? online.size() % pairsInUse : 0;
        int cpu = online.first();
        for (int pair = 0; pair < pairsInUse; pair++) {
            CpuSet group = CpuSet.EMPTY;
            for (int i = 0; i < stride + (pair < stragglers ? 1 : 0); i++) {
                group = group.with(cpu);
                int next = online.next(cpu);
                cpu = next < 0 ? online.first() : next;
            }
            routing.setAffinity(vectors.get(1 + 2 * pair), group);
            routing.setAffinity(vectors.get(2 + 2 * pair), group);
        }
    }

    /** Unbinds the device from its driver; its vectors are freed, the last first. */
    public void unbind() {
        if (routing == null) {
            throw new IllegalStateException(name + " is not bound");
        }
        for (int i = vectors.size() - 1; i >= 0; i--) {
            routing.free(vectors.get(i));
        }
        vectors.clear();
        if (hotplug != null) {
            routing.removeHotplugListener(hotplug);
            hotplug = null;
        }
        routing = null;
    }
}
