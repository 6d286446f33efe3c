package io.farnode.cli.command;

import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.LoggerFactory;

/**
 * What has to be shut down, in which order: what is being told, the streams application, producers, then the broker. One
 * hook of the JVM does it on Ctrl-C and SIGTERM; a command that ends by itself calls {@link #close()}.
 */
public final class Lifecycle implements AutoCloseable {
    /** How long an orderly end may take before the process is ended anyway; its data survive that. */
    private static final long PATIENCE_SECONDS = 20;

    private final Map<Stage, Deque<AutoCloseable>> open = new EnumMap<>(Stage.class);
    private final PrintWriter err;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final AtomicInteger failures = new AtomicInteger();
    private volatile boolean stopping;
    private volatile boolean interrupted;
    private boolean hooked;

    /** Stages of shutting down, in order. */
    public enum Stage {
        /** What is being told; it is given up first. */
        INPUT,
        /** What reads and computes. */
        STREAMS,
        /** What writes. */
        PRODUCERS,
        /** What both talk to. */
        BROKER,
        /** Directories. */
        FILES
    }

    /**
     * Nothing to shut down yet.
     *
     * @param err where a failure is told
     */
    public Lifecycle(PrintWriter err) {
        this.err = err;
    }

    /**
     * Takes charge of something.
     *
     * @param stage when it is to be closed
     * @param resource what
     * @param <T> its type
     * @return the same
     */
    public synchronized <T extends AutoCloseable> T add(Stage stage, T resource) {
        if (!hooked) {
            hooked = true;
            Runtime.getRuntime().addShutdownHook(new Thread(this::hook, "shutdown"));
        }
        open.computeIfAbsent(stage, s -> new ArrayDeque<>()).push(resource);
        return resource;
    }

    /** {@return whether shutting down has begun} */
    public boolean isStopping() {
        return stopping;
    }

    /** {@return whether Ctrl-C or SIGTERM came while a command was at work} */
    public boolean isInterrupted() {
        return interrupted;
    }

    /**
     * Tells of something that makes going on impossible, and lets the command end with exit code 1.
     *
     * @param line one line for the user
     */
    public void fail(String line) {
        if (!stopping && failures.getAndIncrement() == 0) {
            err.println("farnode: " + line);
            err.flush();
            stop.countDown();
        }
    }

    /**
     * Waits until Ctrl-C, SIGTERM or a failure.
     *
     * @return the exit code for the case of a failure
     */
    public int awaitStop() {
        try {
            stop.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return failures.get() == 0 ? 0 : 1;
    }

    /** {@return whether something failed} */
    public boolean hasFailed() {
        return failures.get() > 0;
    }

    /** Shuts everything down in order; a second call waits for the first and does nothing. */
    @Override
    public synchronized void close() {
        stopping = true;
        for (Stage stage : Stage.values()) {
            Deque<AutoCloseable> resources = open.getOrDefault(stage, new ArrayDeque<>());
            while (!resources.isEmpty()) {
                AutoCloseable resource = resources.pop();
                try {
                    resource.close();
                } catch (Exception e) {
                    LoggerFactory.getLogger(Lifecycle.class).warn("shutting down: {}", e.getMessage(), e);
                }
            }
        }
        stop.countDown();
    }

    private void hook() {
        interrupted = !stopping;
        stopping = true;
        Thread closer = new Thread(this::close, "shutdown-closer");
        closer.setDaemon(true);
        closer.start();
        try {
            closer.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (closer.isAlive()) {
            err.println("farnode: shutting down took longer than " + PATIENCE_SECONDS + " s; ending anyway");
            err.flush();
        }
    }
}
