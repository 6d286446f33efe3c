package io.farnode.producer.print;

import io.farnode.producer.machine.DataException;
import io.farnode.producer.machine.workload.Scenario;
import io.farnode.producer.machine.workload.SimulatedRun;
import io.farnode.telemetry.Sample;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Prints a simulated run into files, one for each call of a tool that would have been needed on a real machine. What the
 * workload itself reports, and numastat, has no such file.
 *
 * <p>perf counts by CPU or by node or for the whole machine, never all at once; so the counts of units outside the CPUs
 * ({@code uncore}) and the loads of nodes ({@code nodes}) make two files each, {@code -node} and {@code -system}. Times
 * are those of a machine whose clock shows UTC; perf's file does not say so, and vmstat's does.
 */
public final class RunPrinter implements Closeable {
    private static final long SECOND = 1_000_000_000L;

    private final SimulatedRun run;
    private final Path directory;
    private final List<Path> files = new ArrayList<>();
    private final List<Writer> writers = new ArrayList<>();
    private final Map<String, List<SamplePrinter>> printers = new HashMap<>();

    private RunPrinter(SimulatedRun run, Path directory) {
        this.run = run;
        this.directory = directory;
    }

    /**
     * Makes the files.
     *
     * @param scenario what is simulated
     * @param run the run, of which nothing has been told yet
     * @param texts what to print
     * @param directory where to; made if it is not there
     * @return the printer, to be given every sample
     * @throws IOException if a file cannot be made, or exists already
     * @throws DataException if the tool cannot print such a run: vmstat knows whole seconds only
     */
    public static RunPrinter open(Scenario scenario, SimulatedRun run, Set<ToolText> texts, Path directory)
            throws IOException {
        long interval = scenario.interval().toNanos();
        if (texts.contains(ToolText.VMSTAT)) {
            requireWholeSeconds("interval", interval, SECOND);
            requireWholeSeconds("duration", scenario.duration().toNanos(), interval);
        }
        RunPrinter printer = new RunPrinter(run, directory);
        try {
            try {
                Files.createDirectories(directory);
            } catch (IOException e) {
                throw new IOException("cannot make the directory " + directory + ": " + reason(e), e);
            }
            for (ToolText text : ToolText.values()) {
                if (texts.contains(text)) {
                    printer.add(text, interval);
                }
            }
            return printer;
        } catch (IOException e) {
            printer.close();
            throw e;
        }
    }

    private static void requireWholeSeconds(String key, long nanos, long unit) {
        if (nanos % unit != 0) {
            throw new DataException(
                    key + " = " + nanos / 1_000_000 + "ms: vmstat prints whole intervals of whole seconds;"
                            + " set another " + key + ", or print perf-csv");
        }
    }

    private void add(ToolText text, long interval) throws IOException {
        long start = run.started().getStartNanos();
        switch (text) {
            case VMSTAT -> add("vmstat", new VmstatText(file("vmstat.txt"), interval / SECOND));
            case PERF_CSV -> {
                add("perf", new PerfText(file("perf.csv"), start, PerfText.Aggregation.CPU, run.machine()));
                for (String source : List.of("uncore", "nodes")) {
                    if (run.started().getSources().stream()
                            .anyMatch(s -> s.getName().equals(source))) {
                        for (PerfText.Aggregation by :
                                List.of(PerfText.Aggregation.NODE, PerfText.Aggregation.SYSTEM)) {
                            String name = source + "-" + by.scopePrefix() + ".csv";
                            add(source, new PerfText(file(name), start, by, run.machine()));
                        }
                    }
                }
            }
            case INTERRUPTS -> add("vmstat", new InterruptsText(file("interrupts.txt"), run));
            default -> throw new IllegalStateException(text.formatName());
        }
    }

    private void add(String source, SamplePrinter printer) {
        printers.computeIfAbsent(source, any -> new ArrayList<>()).add(printer);
    }

    private Writer file(String name) throws IOException {
        Path path = directory.resolve(name);
        try {
            Writer writer = Files.newBufferedWriter(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            writers.add(writer);
            files.add(path);
            return writer;
        } catch (FileAlreadyExistsException e) {
            throw new IOException(path + " exists already; name another directory, or move it away", e);
        } catch (IOException e) {
            throw new IOException("cannot write " + path + ": " + reason(e), e);
        }
    }

    private static String reason(IOException e) {
        return e.getClass().getSimpleName().replace("Exception", "") + " " + e.getMessage();
    }

    /** {@return the files} */
    public List<Path> files() {
        return List.copyOf(files);
    }

    /**
     * Prints what the tools would have printed at the end of a sample's span.
     *
     * @param sample the sample that the run has just told
     * @throws IOException if a file cannot be written
     */
    public void print(Sample sample) throws IOException {
        try {
            for (SamplePrinter printer : printers.getOrDefault(sample.getSource(), List.of())) {
                printer.print(sample);
            }
        } catch (IOException e) {
            throw new IOException("cannot write in " + directory + ": " + reason(e), e);
        }
    }

    @Override
    public void close() throws IOException {
        IOException first = null;
        for (Writer writer : writers) {
            try {
                writer.close();
            } catch (IOException e) {
                first = first == null ? new IOException("cannot write in " + directory + ": " + reason(e), e) : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
