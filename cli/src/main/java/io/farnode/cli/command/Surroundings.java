package io.farnode.cli.command;

import io.farnode.cli.terminal.Terminal;
import java.io.InputStream;
import java.io.PrintWriter;

/**
 * What a command works with beside its options.
 *
 * @param in standard input
 * @param out standard output: results
 * @param err standard error: progress, remarks, errors
 * @param terminal which of them are terminals
 * @param lifecycle takes charge of what has to be shut down
 */
public record Surroundings(InputStream in, PrintWriter out, PrintWriter err, Terminal terminal, Lifecycle lifecycle) {}
