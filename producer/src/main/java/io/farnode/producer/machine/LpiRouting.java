package io.farnode.producer.machine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;

/**
 * Where a kernel of the 5.x and 6.x lines sends the LPIs of a machine: allocation, request, affinity, CPU hotplug. The
 * rule that picks one CPU out of a mask is plugged in; everything else is as in {@code kernel/irq/manage.c},
 * {@code chip.c}, {@code cpuhotplug.c} and {@code drivers/irqchip/irq-gic-v3-its.c}.
 *
 * <p>Counts are kept per CPU, managed and unmanaged LPIs apart, from activation to deactivation. An LPI that is allocated
 * but not yet requested sits on a provisional CPU and counts there.
 */
public final class LpiRouting {
    private final Machine machine;
    private final LpiTargetRule rule;
    private final int[][] counts;
    private final TreeMap<Integer, Lpi> lpis = new TreeMap<>();
    private final List<Runnable> hotplugListeners = new ArrayList<>();
    private CpuSet online;

    /**
     * A machine without devices, all CPUs online.
     *
     * @param machine the machine
     * @param rule how one CPU is chosen out of a mask
     */
    public LpiRouting(Machine machine, LpiTargetRule rule) {
        this.machine = machine;
        this.rule = rule;
        this.counts = new int[2][machine.cpus()];
        this.online = machine.allCpus();
    }

    /** {@return the machine} */
    public Machine machine() {
        return machine;
    }

    /** {@return the CPUs that are online} */
    public CpuSet online() {
        return online;
    }

    /** {@return the allocated LPIs in the order of their numbers} */
    public Collection<Lpi> lpis() {
        return Collections.unmodifiableCollection(lpis.values());
    }

    /**
     * How many LPIs count on a CPU.
     *
     * @param cpu the CPU
     * @param managed whether the managed ones are asked for, or the others
     * @return their number
     */
    public int count(int cpu, boolean managed) {
        return counts[managed ? 1 : 0][cpu];
    }

    /**
     * Allocates an LPI whose affinity the kernel manages, without activating it.
     *
     * @param name its name
     * @param its the ITS it goes through
     * @param mask the CPUs it may go to, for ever
     * @return the LPI
     */
    public Lpi allocateManaged(String name, int its, CpuSet mask) {
        return allocate(name, its, true, mask.isEmpty() ? -1 : machine.nodeOf(mask.first()), mask);
    }

    /**
     * Allocates an LPI that nobody manages, without activating it. Its mask is all CPUs until it is requested.
     *
     * @param name its name
     * @param its the ITS it goes through
     * @param node the node of its descriptor: the device's; but for the unmanaged vectors of a device that has managed
     *     ones it is the node of CPU 0, see {@link MsiDevice}; -1 if none
     * @return the LPI
     */
    public Lpi allocateUnmanaged(String name, int its, int node) {
        return allocate(name, its, false, node, machine.allCpus());
    }

    private Lpi allocate(String name, int its, boolean managed, int node, CpuSet mask) {
        if (its < 0 || its >= machine.itsCount()) {
            throw new IllegalArgumentException(
                    "ITS " + its + " of " + name + ": " + machine.name() + " has " + machine.itsCount());
        }
        int number = 0;
        while (lpis.containsKey(number)) {
            number++;
        }
        Lpi lpi = new Lpi(name, number, its, managed, node, mask);
        lpis.put(number, lpi);
        return lpi;
    }

    /**
     * Activates an LPI: the ITS driver maps it to a CPU, chosen among all that are online even when it is managed.
     *
     * @param lpi an LPI that is not active
     */
    public void activate(Lpi lpi) {
        if (lpi.active()) {
            throw new IllegalStateException(lpi.name() + " is active already");
        }
        lpi.target = rule.onActivate(choice(lpi, online));
        count(lpi, lpi.target, 1);
    }

    /**
     * Requests an LPI: the driver's {@code request_irq}. A managed one goes into its mask, or, when no CPU of that is
     * online, waits for one. Another one goes to the CPUs of its descriptor's node, if any is online.
     *
     * @param lpi an active LPI
     */
    public void request(Lpi lpi) {
        if (!lpi.active()) {
            throw new IllegalStateException(lpi.name() + " is not active");
        }
        lpi.requested = true;
        if (lpi.managed()) {
            start(lpi);
            return;
        }
        CpuSet wanted = lpi.affinitySet && lpi.affinity.meets(online) ? lpi.affinity : machine.allCpus();
        CpuSet mask = wanted.and(online);
        if (lpi.node() >= 0 && machine.cpusOf(lpi.node()).meets(mask)) {
            mask = mask.and(machine.cpusOf(lpi.node()));
        }
        move(lpi, mask);
    }

    /** Starts a managed LPI, as irq_startup does. */
    private void start(Lpi lpi) {
        lpi.shutDown = !lpi.affinity.meets(online);
        if (!lpi.shutDown) {
            if (!lpi.active()) {
                activate(lpi);
            }
            move(lpi, lpi.affinity);
        }
    }

    /**
     * Sets an affinity from inside the kernel, as drivers do with a hint.
     *
     * @param lpi the LPI
     * @param mask the CPUs
     * @throws AffinityRefusedException with EINVAL if none of them is online
     */
    public void setAffinity(Lpi lpi, CpuSet mask) {
        if (!mask.meets(online)) {
            throw new AffinityRefusedException(lpi, mask, "EINVAL", "none of these CPUs is online");
        }
        lpi.affinitySet = true;
        if (lpi.active()) {
            move(lpi, mask);
        } else {
            lpi.affinity = mask;
        }
    }

    /**
     * Writes {@code /proc/irq/N/smp_affinity_list}.
     *
     * @param lpi the LPI
     * @param mask the CPUs
     * @throws AffinityRefusedException with EIO if the kernel manages its affinity; with EINVAL if no CPU of the list is
     *     online
     */
    public void writeAffinity(Lpi lpi, CpuSet mask) {
        if (lpi.managed()) {
            throw new AffinityRefusedException(lpi, mask, "EIO", "the kernel manages it");
        }
        setAffinity(lpi, mask);
    }

    /** The core of irq_do_set_affinity and its_set_affinity: the chip sees only online CPUs, the mask is kept whole. */
    private void move(Lpi lpi, CpuSet mask) {
        int old = lpi.target;
        if (!rule.countsOldTarget()) {
            count(lpi, old, -1);
        }
        int cpu = rule.onSetAffinity(choice(lpi, mask.and(online)));
        if (rule.countsOldTarget()) {
            count(lpi, old, -1);
        }
        if (cpu < 0) {
            count(lpi, old, 1);
            return;
        }
        count(lpi, cpu, 1);
        lpi.target = cpu;
        lpi.affinity = mask;
    }

    /**
     * Deactivates an LPI, so that it no longer counts.
     *
     * @param lpi an active LPI
     */
    public void deactivate(Lpi lpi) {
        if (!lpi.active()) {
            throw new IllegalStateException(lpi.name() + " is not active");
        }
        count(lpi, lpi.target, -1);
        lpi.target = Lpi.NO_CPU;
    }

    /**
     * Frees an LPI; its number is given to the next one allocated.
     *
     * @param lpi the LPI, active or not
     */
    public void free(Lpi lpi) {
        if (lpi.active()) {
            deactivate(lpi);
        }
        lpi.requested = false;
        lpis.remove(lpi.number(), lpi);
    }

    /**
     * Takes a CPU offline. Only the requested LPIs that are delivered to it move, in the order of their numbers. A managed
     * one whose mask has no online CPU left is shut down; another one then goes to any online CPU and forgets its mask.
     *
     * @param cpu a CPU that is online, not the last one
     */
    public void offline(int cpu) {
        if (!online.contains(cpu) || online.size() == 1) {
            throw new IllegalArgumentException("cpu" + cpu + " cannot go offline: online are " + online);
        }
        online = online.without(cpu);
        for (Lpi lpi : lpis.values()) {
            if (lpi.target != cpu || !lpi.requested || lpi.shutDown) {
                continue;
            }
            if (lpi.affinity.meets(online)) {
                move(lpi, lpi.affinity);
            } else if (lpi.managed()) {
                lpi.shutDown = true;
                deactivate(lpi);
            } else {
                move(lpi, online);
            }
        }
        List.copyOf(hotplugListeners).forEach(Runnable::run);
    }

    /**
     * Takes a CPU online. Managed LPIs that wait for it start; the others stay where they are, because an LPI has one
     * target and has one already.
     *
     * @param cpu a CPU that is offline
     */
    public void online(int cpu) {
        if (online.contains(cpu) || cpu < 0 || cpu >= machine.cpus()) {
            throw new IllegalArgumentException(
                    "cpu" + cpu + " cannot come online: online are " + online + " of " + machine.allCpus());
        }
        online = online.with(cpu);
        for (Lpi lpi : lpis.values()) {
            if (lpi.shutDown && lpi.affinity.contains(cpu)) {
                start(lpi);
            }
        }
        List.copyOf(hotplugListeners).forEach(Runnable::run);
    }

    void addHotplugListener(Runnable listener) {
        hotplugListeners.add(listener);
    }

    void removeHotplugListener(Runnable listener) {
        hotplugListeners.remove(listener);
    }

    private LpiTargetRule.Choice choice(Lpi lpi, CpuSet mask) {
        int node = machine.nodeOfIts(lpi.its());
        int[] kind = counts[lpi.managed() ? 1 : 0];
        return new LpiTargetRule.Choice(
                lpi.managed(), mask, online, node < 0 ? null : machine.cpusOf(node), cpu -> kind[cpu]);
    }

    private void count(Lpi lpi, int cpu, int change) {
        int[] kind = counts[lpi.managed() ? 1 : 0];
        kind[cpu] += change;
        if (kind[cpu] < 0) {
            throw new IllegalStateException("count of cpu" + cpu + " below zero at " + lpi);
        }
    }
}
