package io.farnode.cli.command;

import io.farnode.cli.broker.BrokerException;
import io.farnode.cli.cluster.ClusterException;
import io.farnode.cli.logging.LogSetup;
import io.farnode.cli.logging.LogSetup.Verbosity;
import io.farnode.producer.capture.CaptureException;
import io.farnode.producer.machine.DataException;
import io.farnode.producer.publish.RunConflictException;
import io.farnode.streams.app.PipelineException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line as a whole: which commands there are, and how errors are told. */
@Command(
        name = "farnode",
        description = {
            "Replays what NUMA machines do through Kafka and says whether a kernel policy made it better or worse.",
            "",
            "New here? farnode demo"
        },
        mixinStandardHelpOptions = true,
        versionProvider = Commands.Version.class,
        commandListHeading = "%nCommands:%n",
        footer = {"", "farnode COMMAND --help tells more about a command."})
public final class Commands implements Runnable {
    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Tell more on standard error; twice: what Kafka does as well.")
    private boolean[] verbose = new boolean[0];

    @Spec
    private CommandSpec spec;

    private Commands() {}

    /**
     * Runs one command and shuts down whatever it started.
     *
     * @param surroundings what it works with
     * @param args the command line
     * @return the exit code: 0, 1 or 2
     */
    public static int run(Surroundings surroundings, String... args) {
        Commands root = new Commands();
        CommandLine line = new CommandLine(root);
        line.addSubcommand(ClusterOptions.temporaryByDefault(new CommandLine(new DemoCommand(surroundings))));
        line.addSubcommand(ReplayCommand.commandLine(surroundings));
        line.addSubcommand(new SimulateCommand(surroundings));
        line.addSubcommand(new SweepCommand(surroundings));
        line.addSubcommand(MachinesCommand.commandLine(surroundings));
        line.addSubcommand(ClusterOptions.forReading(new CommandLine(new RunsCommand(surroundings))));
        line.addSubcommand(ClusterOptions.forReading(new CommandLine(new WindowsCommand(surroundings))));
        line.addSubcommand(ClusterOptions.forReading(new CommandLine(new CompareCommand(surroundings))));
        line.addSubcommand(new ValidateCommand(surroundings));
        line.addSubcommand(new FormatsCommand(surroundings));
        line.addSubcommand(ClusterOptions.forOwnBroker(new CommandLine(new BrokerCommand(surroundings))));
        line.addSubcommand(new StreamsCommand(surroundings));
        line.addSubcommand(TopicsCommand.commandLine(surroundings));
        line.addSubcommand(new RehearseCommand(surroundings));
        line.setOut(surroundings.out());
        line.setErr(surroundings.err());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setUsageHelpAutoWidth(false);
        // "@1772442000" is a time
        line.setExpandAtFiles(false);
        line.setExecutionStrategy(parsed -> {
            if (root.verbose.length > 0) {
                LogSetup.set(root.verbose.length == 1 ? Verbosity.VERBOSE : Verbosity.VERY_VERBOSE);
            }
            return new CommandLine.RunLast().execute(parsed);
        });
        line.setParameterExceptionHandler((e, arguments) -> usageError(surroundings.err(), e));
        line.setExecutionExceptionHandler((e, command, parsed) -> failure(surroundings, root, command, e));
        try (Lifecycle lifecycle = surroundings.lifecycle()) {
            int code = line.execute(args);
            // also flushes; a result that nobody could read is no success
            if (surroundings.out().checkError() && !lifecycle.isStopping()) {
                surroundings
                        .err()
                        .println("farnode: standard output cannot be written; is the disk full, or has its reader"
                                + " ended?");
                surroundings.err().flush();
                return 1;
            }
            return lifecycle.hasFailed() && code == 0 ? 1 : code;
        }
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command; try farnode demo, or farnode --help");
    }

    private static int usageError(PrintWriter err, ParameterException e) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        List<String> near = e instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
        String hint = near.isEmpty() ? "" : "; did you mean " + near.get(0) + "?";
        err.println("farnode: " + oneLine(e.getMessage()) + hint + " (" + name + " --help)");
        err.flush();
        return CommandLine.ExitCode.USAGE;
    }

    private static int failure(Surroundings surroundings, Commands root, CommandLine command, Exception e) {
        if (surroundings.lifecycle().isStopping()) {
            // clients that are closed under a command's hands throw; that is no news
            return 1;
        }
        PrintWriter err = surroundings.err();
        if (e instanceof UsageException) {
            return usageError(err, new ParameterException(command, e.getMessage()));
        }
        if (isForTheUser(e)) {
            err.println("farnode: " + oneLine(e.getMessage()));
        } else {
            err.println("farnode: unexpected " + e.getClass().getSimpleName() + ": " + oneLine(e.getMessage())
                    + (root.verbose.length > 0 ? "" : " (-v shows where)"));
        }
        if (root.verbose.length > 0) {
            e.printStackTrace(err);
        }
        err.flush();
        return 1;
    }

    /** Whether an exception's message was written for the user. */
    private static boolean isForTheUser(Exception e) {
        return e instanceof BrokerException
                || e instanceof ClusterException
                || e instanceof CaptureException
                || e instanceof DataException
                || e instanceof RunConflictException
                || e instanceof PipelineException
                || e instanceof IllegalArgumentException
                        && e.getStackTrace().length > 0
                        && e.getStackTrace()[0].getClassName().startsWith("io.farnode.")
                || e instanceof IOException
                        && e.getStackTrace()[0].getClassName().startsWith("io.farnode.");
    }

    private static String oneLine(String message) {
        return message == null ? "no message" : message.strip().replaceAll("\\s*\\R\\s*", "; ");
    }

    /** Version from the manifest of the program's jar. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Commands.class.getPackage().getImplementationVersion();
            return new String[] {"farnode " + (version == null ? "(not packaged)" : version)};
        }
    }
}
