package io.farnode.producer.machine;

/** A write to {@code smp_affinity_list} that the kernel refuses; the message names the interrupt, the list and the error. */
public final class AffinityRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The kernel's error. */
    private final String errno;

    AffinityRefusedException(Lpi lpi, CpuSet list, String errno, String why) {
        super("affinity of " + lpi.name() + " cannot be set to \"" + list + "\": " + errno + ", " + why);
        this.errno = errno;
    }

    /** {@return the kernel's error, {@code EIO} or {@code EINVAL}} */
    public String errno() {
        return errno;
    }
}
