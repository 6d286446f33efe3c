package io.farnode.contract;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of the machine that a number is about, with its canonical text: {@code system}, {@code node1},
 * {@code socket0}, {@code die0.1} (socket.die), {@code cluster0.1.3} (socket.die.cluster), {@code cache0.1.3.7}
 * (socket.die.level.id), {@code core0.1.9} (socket.die.core), {@code cpu7}, {@code thread:NAME-TID},
 * {@code process:NAME-PID}. Numbers repeat across parents: core 0 of socket 0 and core 0 of socket 1 are two scopes.
 *
 * @param kind what kind of part
 * @param text the canonical text
 */
public record Scope(Kind kind, String text) {
    /** The whole machine. */
    public static final Scope SYSTEM = new Scope(Kind.SYSTEM, "system");

    private static final Pattern NUMBERED = Pattern.compile("([a-z]+)(\\d+(?:\\.\\d+)*)");

    static {
        SchemaCatalog.trustGeneratedClasses();
    }

    /** Kinds of parts. */
    public enum Kind {
        /** The whole machine. */
        SYSTEM("system", 0),
        /** A NUMA node. */
        NODE("node", 1),
        /** A socket. */
        SOCKET("socket", 1),
        /** A die: socket, die. */
        DIE("die", 2),
        /** A cluster of cores: socket, die, cluster. */
        CLUSTER("cluster", 3),
        /** A cache: socket, die, level, id. */
        CACHE("cache", 4),
        /** A core: socket, die, core. */
        CORE("core", 3),
        /** A logical CPU. */
        CPU("cpu", 1),
        /** A process, by name and id. */
        PROCESS("process", -1),
        /** A thread, by name and id. */
        THREAD("thread", -1);

        private final String prefix;
        private final int numbers;

        Kind(String prefix, int numbers) {
            this.prefix = prefix;
            this.numbers = numbers;
        }
    }

    /**
     * Checks nothing but presence; use the factories.
     *
     * @param kind what kind of part
     * @param text the canonical text
     */
    public Scope {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(text, "text");
    }

    /**
     * A numbered part.
     *
     * @param kind its kind
     * @param numbers as many numbers as the kind has, none negative
     * @return the scope
     * @throws IllegalArgumentException if there are too many or too few numbers, or a negative one
     */
    public static Scope of(Kind kind, int... numbers) {
        if (kind.numbers != numbers.length) {
            throw new IllegalArgumentException(
                    "a " + kind.prefix + " has " + kind.numbers + " numbers, not " + numbers.length);
        }
        StringBuilder text = new StringBuilder(kind.prefix);
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] < 0) {
                throw new IllegalArgumentException(kind.prefix + " number " + numbers[i] + " is negative");
            }
            if (i > 0) {
                text.append('.');
            }
            text.append(numbers[i]);
        }
        return kind == Kind.SYSTEM ? SYSTEM : new Scope(kind, text.toString());
    }

    /**
     * A CPU.
     *
     * @param number its number
     * @return the scope
     */
    public static Scope cpu(int number) {
        return of(Kind.CPU, number);
    }

    /**
     * A NUMA node.
     *
     * @param number its number
     * @return the scope
     */
    public static Scope node(int number) {
        return of(Kind.NODE, number);
    }

    /**
     * A thread.
     *
     * @param nameAndId name and thread id as the tool prints them, {@code NAME-TID}
     * @return the scope
     */
    public static Scope thread(String nameAndId) {
        return new Scope(Kind.THREAD, "thread:" + nameAndId);
    }

    /**
     * Reads canonical text.
     *
     * @param text the text
     * @return the scope
     * @throws IllegalArgumentException if the text is no scope
     */
    public static Scope parse(String text) {
        if (text.equals(SYSTEM.text)) {
            return SYSTEM;
        }
        int colon = text.indexOf(':');
        if (colon > 0 && colon < text.length() - 1) {
            String prefix = text.substring(0, colon);
            for (Kind kind : Kind.values()) {
                if (kind.numbers < 0 && kind.prefix.equals(prefix)) {
                    return new Scope(kind, text);
                }
            }
        }
        Matcher numbered = NUMBERED.matcher(text);
        if (numbered.matches()) {
            int numbers = (int) numbered.group(2).chars().filter(c -> c == '.').count() + 1;
            for (Kind kind : Kind.values()) {
                if (kind.numbers == numbers && kind.prefix.equals(numbered.group(1))) {
                    return new Scope(kind, text);
                }
            }
        }
        throw new IllegalArgumentException("\"" + text + "\" is no scope; write system, node1, cpu7, core0.0.3, ...");
    }

    /**
     * {@return the one number of a node, socket or CPU}
     *
     * @throws IllegalStateException for other kinds
     */
    public int number() {
        if (kind.numbers != 1) {
            throw new IllegalStateException(text + " has no single number");
        }
        return Integer.parseInt(text.substring(kind.prefix.length()));
    }

    @Override
    public String toString() {
        return text;
    }
}
