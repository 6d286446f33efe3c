package io.farnode.cli.command;

import io.farnode.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One command run in this process.
 *
 * @param code its exit code
 * @param out lines of standard output
 * @param err lines of standard error
 */
record CommandLineRun(int code, List<String> out, List<String> err) {
    static CommandLineRun of(String... args) {
        return withInput("", args);
    }

    static CommandLineRun withInput(String input, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        PrintWriter errors = new PrintWriter(err);
        int code = Commands.run(
                new Surroundings(
                        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                        new PrintWriter(out),
                        errors,
                        Terminal.NONE,
                        new Lifecycle(errors)),
                args);
        return new CommandLineRun(
                code, out.toString().lines().toList(), err.toString().lines().toList());
    }
}
