package io.farnode.cli;

import io.farnode.cli.command.Commands;
import io.farnode.cli.command.Lifecycle;
import io.farnode.cli.command.Surroundings;
import io.farnode.cli.terminal.Terminal;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;

/**
 * The program {@code farnode}. Exit codes: 0 done; 1 something went wrong, or a regression was found; 2 wrong usage, or
 * nothing could be judged.
 */
public final class Farnode {
    private Farnode() {}

    /**
     * Runs one command and ends the process, whatever threads are left.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        // not System.out: it swallows errors, and a full disk would go unnoticed
        PrintWriter out = writer(new FileOutputStream(FileDescriptor.out));
        PrintWriter err = writer(System.err);
        Lifecycle lifecycle = new Lifecycle(err);
        int code = Commands.run(new Surroundings(System.in, out, err, Terminal.detect(), lifecycle), args);
        System.exit(code);
    }

    private static PrintWriter writer(OutputStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, Charset.defaultCharset()), true);
    }
}
