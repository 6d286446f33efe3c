package io.farnode.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The built program in a process of its own, as a user has it: what it prints, signals, exit code. */
public final class FarnodeProcess implements AutoCloseable {
    private final Process process;
    private final List<String> out = new ArrayList<>();
    private final List<String> err = new ArrayList<>();
    private final List<Thread> readers = new ArrayList<>();

    private FarnodeProcess(Process process) {
        this.process = process;
        readers.add(read(process.getInputStream(), out));
        readers.add(read(process.getErrorStream(), err));
    }

    /** {@return the top directory of the project} */
    public static Path root() {
        return Path.of(System.getProperty("farnode.root", ".."));
    }

    /**
     * Starts the program.
     *
     * @param args its command line
     * @return the running process
     */
    public static FarnodeProcess start(String... args) {
        return start(List.of(), args);
    }

    /**
     * Starts the program.
     *
     * @param javaOptions options for Java
     * @param args its command line
     * @return the running process
     */
    public static FarnodeProcess start(List<String> javaOptions, String... args) {
        Path jar = root().resolve("cli/target/farnode.jar");
        if (!Files.exists(jar)) {
            throw new IllegalStateException(jar + " is missing: run these tests with mvn verify");
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx768m",
                "-XX:TieredStopAtLevel=1",
                "-Duser.timezone=UTC"));
        command.addAll(javaOptions);
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(List.of(args));
        return run(Map.of(), command, root());
    }

    /**
     * Starts any program.
     *
     * @param environment variables beside or in place of this process's
     * @param program the program
     * @param directory where it runs
     * @param args its arguments
     * @return the running process
     */
    public static FarnodeProcess run(Map<String, String> environment, Path program, Path directory, String... args) {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(args));
        return run(environment, command, directory);
    }

    private static FarnodeProcess run(Map<String, String> environment, List<String> command, Path directory) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
            builder.environment().putAll(environment);
            return new FarnodeProcess(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return its standard input} */
    public OutputStream in() {
        return process.getOutputStream();
    }

    /** {@return the process id} */
    public long pid() {
        return process.pid();
    }

    /** {@return whether it is still running} */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** {@return the lines of standard output so far} */
    public List<String> out() {
        synchronized (out) {
            return List.copyOf(out);
        }
    }

    /** {@return the lines of standard error so far} */
    public List<String> err() {
        synchronized (err) {
            return List.copyOf(err);
        }
    }

    /**
     * Waits for a line on standard output.
     *
     * @param pattern found in the line
     * @param patience how long to wait
     * @return the match
     * @throws AssertionError if the line does not come; says what came
     */
    public Matcher awaitLine(String pattern, Duration patience) {
        Pattern compiled = Pattern.compile(pattern);
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            boolean alive = process.isAlive();
            for (String line : out()) {
                Matcher matcher = compiled.matcher(line);
                if (matcher.find()) {
                    return matcher;
                }
            }
            if (!alive || System.nanoTime() > end) {
                throw new AssertionError("no line with " + pattern
                        + (alive ? " within " + patience : " before it ended") + "; out: " + out() + "; err: " + err());
            }
            sleep();
        }
    }

    /** Sends SIGTERM, as Ctrl-C's brother does. */
    public void terminate() {
        // Process.destroy() would also close the streams, and the last lines would be lost
        process.toHandle().destroy();
    }

    /** Sends SIGKILL. */
    public void kill() {
        process.toHandle().destroyForcibly();
    }

    /**
     * Waits for the end.
     *
     * @param patience how long
     * @return the exit code: 128 + the signal's number if a signal ended it
     * @throws AssertionError if it is still running then
     */
    public int exitCode(Duration patience) {
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("still running after " + patience + "; out: " + out() + "; err: " + err());
            }
            for (Thread reader : readers) {
                reader.join(5_000);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        exitCode(Duration.ofSeconds(10));
    }

    private static void sleep() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static Thread read(InputStream stream, List<String> lines) {
        Thread thread = new Thread(
                () -> {
                    try (BufferedReader reader =
                            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                            synchronized (lines) {
                                lines.add(line);
                            }
                        }
                    } catch (IOException e) {
                        synchronized (lines) {
                            lines.add("(" + e + ")");
                        }
                    }
                },
                "output-reader");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
