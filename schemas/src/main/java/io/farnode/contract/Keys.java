package io.farnode.contract;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The keys of farnode's topics, all of them UTF-8 text that a person can read: parts joined by {@code |}, which no part
 * may hold. Numbers are padded with zeros, so that keys of one run sort by time.
 */
public final class Keys {
    private static final Pattern RUN_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

    static {
        SchemaCatalog.trustGeneratedClasses();
    }

    private Keys() {}

    /**
     * Checks a run id.
     *
     * @param runId the id
     * @return the id
     * @throws IllegalArgumentException if it is not 1 to 128 characters of letters, digits, dot, underscore and dash,
     *     the first one a letter or digit
     */
    public static String runId(String runId) {
        if (!RUN_ID.matcher(runId).matches()) {
            throw new IllegalArgumentException(
                    "run id \"" + runId + "\": use 1 to 128 of A-Z a-z 0-9 . _ - and begin with a letter or digit");
        }
        return runId;
    }

    /**
     * Key of a window.
     *
     * @param runId the run
     * @param sizeNanos size in ns; 0 = whole run
     * @param startNanos start in ns since 1970; not negative
     * @return the key
     */
    public static String window(String runId, long sizeNanos, long startNanos) {
        return String.format(Locale.ROOT, "%s|%019d|%019d", runId, sizeNanos, startNanos);
    }

    /**
     * Key of a run's summary.
     *
     * @param experiment the experiment
     * @param runId the run
     * @return the key
     */
    public static String summary(String experiment, String runId) {
        return experiment + "|" + runId;
    }

    /**
     * Key of a verdict.
     *
     * @param experiment the experiment
     * @param signal the signal
     * @param scope the scope in canonical text
     * @return the key
     */
    public static String verdict(String experiment, String signal, String scope) {
        return experiment + "|" + signal + "|" + scope;
    }

    /**
     * {@return the bytes of a key}
     *
     * @param key the key
     */
    public static byte[] bytes(String key) {
        return key.getBytes(StandardCharsets.UTF_8);
    }
}
