package io.farnode.cli.command;

import io.farnode.cli.cluster.Cluster;
import io.farnode.cli.terminal.ProgressBar;
import io.farnode.producer.Run;
import io.farnode.producer.capture.CaptureException;
import io.farnode.producer.capture.CaptureOptions;
import io.farnode.producer.capture.LineAccount;
import io.farnode.producer.replay.CaptureRun;
import io.farnode.producer.replay.Pacer;
import io.farnode.producer.replay.ReplayProgress;
import io.farnode.telemetry.Machine;
import io.farnode.telemetry.RunFinished;
import io.farnode.telemetry.RunStarted;
import io.farnode.telemetry.Sample;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Replays captures as one run. */
@Command(
        name = "replay",
        description = {
            "Replay captured files, or a live pipe, as one run.",
            "",
            "A FILE may have its format in front and options of its own behind it, which win over those for all files:",
            "  perf-csv:run.log,start=2026-03-02T09:00:00Z",
            "\"-\" is standard input. The format is found by content (farnode formats lists them). The same command again"
                    + " adds nothing twice; after Ctrl-C or a crash it completes the run."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class ReplayCommand implements Callable<Integer> {
    /** Errors of one file that are shown line by line. */
    private static final int SHOWN = 20;

    private final Surroundings surroundings;
    private final Map<String, String> common = new LinkedHashMap<>();

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Captures, or - for standard input.")
    private List<String> files;

    @Mixin
    private RunOptions runOptions;

    @Option(
            names = "--speed",
            paramLabel = "N|max",
            defaultValue = "max",
            description = "Event seconds a second (default: max). A live pipe comes when it comes.")
    private String speed;

    @Option(names = "--policy", paramLabel = "NAME", defaultValue = "", description = "Kernel policy under test.")
    private String policy;

    @Option(names = "--workload", paramLabel = "NAME", defaultValue = "", description = "What the machine was doing.")
    private String workload;

    @Option(
            names = "--operation-event",
            paramLabel = "EVENT",
            defaultValue = "",
            description = "Event whose count is the number of operations: block:block_rq_complete.")
    private String operationEvent;

    @Option(
            names = "--throughput-unit",
            paramLabel = "UNIT",
            defaultValue = "",
            description = "What an operation is, in the singular: IO, request.")
    private String throughputUnit;

    @Option(names = "--strict", description = "Exit code 1 if a line could not be read (default: 0, with a warning).")
    private boolean strict;

    @Mixin
    private StreamsOptions streamsOptions;

    @Mixin
    private ClusterOptions clusterOptions;

    private ReplayCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    /** {@return the command with one option for each thing that can be said about a capture} */
    static CommandLine commandLine(Surroundings surroundings) {
        ReplayCommand command = new ReplayCommand(surroundings);
        CommandLine line = new CommandLine(command);
        CaptureOptions.keys()
                .forEach((key, help) -> line.getCommandSpec()
                        .addOption(OptionSpec.builder("--" + key)
                                .type(String.class)
                                .paramLabel(key.toUpperCase(Locale.ROOT))
                                .description(help.replace("%", "%%").replace("$", "$$"))
                                .setter(new CommandLine.Model.ISetter() {
                                    @Override
                                    @SuppressWarnings("unchecked")
                                    public <T> T set(T value) {
                                        return (T)
                                                (value == null
                                                        ? command.common.remove(key)
                                                        : command.common.put(key, value.toString()));
                                    }
                                })
                                .build()));
        return line;
    }

    @Override
    public Integer call() throws Exception {
        if (runOptions.run == null) {
            throw new ParameterException(spec.commandLine(), "Missing required option: '--run=ID'");
        }
        clusterOptions.check();
        streamsOptions.check();
        runOptions.check();
        double pace = UsageException.checked(() -> Pacer.parseSpeed(speed));
        List<CaptureOptions> captures = new ArrayList<>();
        for (String file : files) {
            captures.add(UsageException.checked(
                    () -> CaptureOptions.parse(file, common).withSystemZone(ZoneId.systemDefault())));
        }
        CaptureRun.Settings settings = CaptureRun.Settings.of(runOptions.run, captures)
                .withMachine(Machine.newBuilder().build())
                .withWorkload(policy, workload, throughputUnit, operationEvent)
                .withExperiment(runOptions.experiment, runOptions.arm, runOptions.repeat)
                .withLabels(runOptions.labels)
                .withStandardInput(surroundings.in());
        // opened before any broker is started: what is wrong with the files shows at once
        try (CaptureRun run = CaptureRun.open(settings)) {
            return replay(run, pace);
        }
    }

    private int replay(CaptureRun run, double pace) throws Exception {
        Peeked peeked = new Peeked(run);
        if (peeked.isEmpty()) {
            tellSources(run);
            throw new CaptureException(
                    run.summary().get(0).file(),
                    0,
                    "no readings found" + hint(run.summary()) + "; nothing was published");
        }
        Workbench bench = Workbench.open(surroundings, clusterOptions, Cluster.Use.PUBLISH, streamsOptions, -1);
        try (ProgressBar bar = new ProgressBar(
                surroundings.err(),
                surroundings.terminal().err(),
                surroundings.terminal().columns())) {
            bench.clearFirst(bar::clear);
            Pacer pacer = Pacer.atSpeed(run.isLive() ? Pacer.MAX : pace, () -> show(bar, run.progress(), pacer(pace)));
            bench.publishAndTell(
                    peeked,
                    sample -> {
                        pacer.await(sample.getEndNanos());
                        show(bar, run.progress(), pacer(pace));
                    },
                    run.isLive() ? run::stop : null,
                    () -> {
                        bar.clear();
                        tellSources(run);
                    });
        }
        long errors = run.summary().stream()
                .mapToLong(s -> s.account().count(LineAccount.Kind.ERROR))
                .sum();
        return strict && errors > 0 ? 1 : 0;
    }

    private static String pacer(double pace) {
        return pace == Pacer.MAX ? "max speed" : pace + "x";
    }

    private static void show(ProgressBar bar, ReplayProgress progress, String pace) {
        Duration at = Duration.ofNanos(progress.eventNanos() - progress.startNanos());
        bar.update(
                progress.fraction(),
                String.format(
                        Locale.ROOT,
                        "%d:%02d:%02d of event time, %,d samples, %,d values, %s",
                        at.toHours(),
                        at.toMinutesPart(),
                        at.toSecondsPart(),
                        progress.samples(),
                        progress.values(),
                        pace));
    }

    private void tellSources(CaptureRun run) {
        PrintWriter err = surroundings.err();
        for (CaptureRun.SourceSummary source : run.summary()) {
            surroundings.out().println(source);
            LineAccount account = source.account();
            List<LineAccount.Remark> errors = account.errors();
            errors.stream()
                    .limit(SHOWN)
                    .forEach(e -> err.println("farnode: " + name(source.file()) + ":" + e.line() + ": " + e.message()
                            + (e.text().isEmpty() ? "" : ": \"" + e.text() + "\"")));
            long more = account.count(LineAccount.Kind.ERROR) - Math.min(SHOWN, errors.size());
            if (more > 0) {
                err.println("farnode: " + name(source.file()) + ": " + more + " more lines could not be read");
            }
            account.notices().stream()
                    .limit(SHOWN)
                    .forEach(n -> err.println("farnode: note: " + name(source.file()) + ": " + n));
            long moreNotes = account.notices().size() + account.noticesNotKept() - SHOWN;
            if (moreNotes > 0) {
                err.println("farnode: note: " + name(source.file()) + ": " + moreNotes + " more notes");
            }
        }
        surroundings.out().flush();
        err.flush();
    }

    private static String hint(List<CaptureRun.SourceSummary> sources) {
        return " (" + sources.get(0).account() + ")";
    }

    private static String name(String file) {
        return file.equals(CaptureOptions.STANDARD_INPUT) ? "standard input" : file;
    }

    /** A run whose first sample has been read ahead, to know whether there is one. */
    private static final class Peeked implements Run {
        private final Run run;
        private Sample first;

        Peeked(Run run) throws IOException {
            this.run = run;
            this.first = run.next();
        }

        boolean isEmpty() {
            return first == null;
        }

        @Override
        public RunStarted started() {
            return run.started();
        }

        @Override
        public Sample next() throws IOException {
            Sample sample = first;
            first = null;
            return sample == null ? run.next() : sample;
        }

        @Override
        public RunFinished finished() {
            return run.finished();
        }

        @Override
        public void close() throws IOException {
            run.close();
        }
    }
}
