package io.farnode.producer.machine;

/**
 * An interrupt translation service (GIC ITS) as its tables see it. For each message it needs, one after the other, the
 * device's entry in the device table, the event's entry in the device's interrupt translation table, and the collection's
 * entry in the collection table; what its caches do not hold it reads from memory, and waits.
 *
 * <p>What is left out: the LPI configuration and pending tables, which redistributors read and cache and which no policy
 * moves, and the command queue, which is still while the load runs.
 */
public final class Its {
    private static final int MOST_DEVICES = 64;
    private static final int MOST_EVENTS = 8_192;

    private final long[] readNanos;
    private final long[] reads;
    private final int directoryHome;
    private final int collectionHome;
    private final int[] deviceHome = new int[MOST_DEVICES];
    private final int[] eventHome = new int[MOST_DEVICES];
    private final int[] firstEvent = new int[MOST_DEVICES + 1];
    private final LruCache deviceCache;
    private final LruCache eventCache;
    private final LruCache collectionCache;
    private int devices;
    private long translations;

    /**
     * What an ITS holds itself. Sizes of caches are in entries; 0 = no such cache.
     *
     * @param devices entries of the device table
     * @param events entries of the interrupt translation tables
     * @param collections entries of the collection table, those that never are in memory (GITS_TYPER.HCC) among them
     */
    public record Caches(int devices, int events, int collections) {}

    /**
     * An ITS without devices.
     *
     * @param machine the machine
     * @param node the node it sits on
     * @param caches what it holds itself
     * @param directoryHome node of the first level of the device table; -1 = the table is flat
     * @param collectionHome node of the collection table
     */
    public Its(Machine machine, int node, Caches caches, int directoryHome, int collectionHome) {
        readNanos = new long[machine.nodes()];
        reads = new long[machine.nodes()];
        for (int home = 0; home < readNanos.length; home++) {
            readNanos[home] = StrictMath.round(machine.memoryNanos(node, home));
        }
        this.directoryHome = directoryHome;
        this.collectionHome = collectionHome;
        deviceCache = new LruCache(caches.devices(), MOST_DEVICES);
        eventCache = new LruCache(caches.events(), MOST_EVENTS);
        collectionCache = new LruCache(caches.collections(), machine.cpus());
    }

    /**
     * Maps a device, as the driver's probe does.
     *
     * @param tableHome node of the device's entry in the device table (its second level, if there are two)
     * @param ittHome node of its interrupt translation table
     * @param events how many events it has
     * @return its number here
     * @throws IllegalArgumentException if the ITS has no room for it
     */
    public int map(int tableHome, int ittHome, int events) {
        if (devices == MOST_DEVICES || firstEvent[devices] + events > MOST_EVENTS) {
            throw new IllegalArgumentException("an ITS maps up to " + MOST_DEVICES + " devices and " + MOST_EVENTS
                    + " events; " + devices + " and " + firstEvent[devices] + " are mapped, " + events
                    + " more do not fit");
        }
        deviceHome[devices] = tableHome;
        eventHome[devices] = ittHome;
        firstEvent[devices + 1] = firstEvent[devices] + events;
        return devices++;
    }

    /**
     * Translates a message to an LPI of a CPU.
     *
     * @param device number of the device
     * @param event number of its event
     * @param cpu the CPU its collection stands for
     * @return what the reads from memory took, ns; 0 if the caches held everything
     */
    public long translate(int device, int event, int cpu) {
        translations++;
        long nanos = 0;
        if (!deviceCache.use(device)) {
            nanos += directoryHome < 0 ? 0 : read(directoryHome);
            nanos += read(deviceHome[device]);
        }
        if (!eventCache.use(firstEvent[device] + event)) {
            nanos += read(eventHome[device]);
        }
        if (!collectionCache.use(cpu)) {
            nanos += read(collectionHome);
        }
        return nanos;
    }

    private long read(int home) {
        reads[home]++;
        return readNanos[home];
    }

    /** {@return messages translated since the beginning} */
    public long translations() {
        return translations;
    }

    /**
     * Reads of tables from memory.
     *
     * @param home node of the memory
     * @return how many, since the beginning
     */
    public long reads(int home) {
        return reads[home];
    }

    /** {@return reads that the misses of the caches account for, since the beginning} */
    public long missed() {
        long device = deviceCache.misses() * (directoryHome < 0 ? 1 : 2);
        return device + eventCache.misses() + collectionCache.misses();
    }

    /** {@return look-ups in all caches, found or not, since the beginning} */
    public long lookUps() {
        return deviceCache.hits()
                + deviceCache.misses()
                + eventCache.hits()
                + eventCache.misses()
                + collectionCache.hits()
                + collectionCache.misses();
    }
}
