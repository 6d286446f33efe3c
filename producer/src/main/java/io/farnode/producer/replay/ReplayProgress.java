package io.farnode.producer.replay;

/**
 * How far a replay has come.
 *
 * @param eventNanos end of the last sample told; event time, ns since 1970; the run's start before the first one
 * @param startNanos start of the run; event time, ns since 1970
 * @param bytesRead bytes read from files so far
 * @param bytesTotal bytes of all files; 0 when there are only pipes
 * @param samples samples told
 * @param values values told, those without a number included
 */
public record ReplayProgress(
        long eventNanos, long startNanos, long bytesRead, long bytesTotal, long samples, long values) {
    /** {@return part of the input that has been read, 0..1; negative when it is not known because of a pipe} */
    public double fraction() {
        return bytesTotal <= 0 ? -1 : Math.min(1, (double) bytesRead / bytesTotal);
    }
}
