package io.farnode.contract;

import io.farnode.results.RunInfo;
import io.farnode.results.RunSummary;
import io.farnode.results.Verdict;
import io.farnode.results.WindowResult;
import io.farnode.telemetry.RunFinished;
import io.farnode.telemetry.RunStarted;
import io.farnode.telemetry.Sample;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.util.ClassSecurityValidator;

/**
 * Writer schemas by fingerprint. Knows the schemas this version writes; any other one (of a newer or older version) is
 * asked from a source, usually the topic {@link Topics#SCHEMAS}, and remembered. Safe for use by several threads.
 *
 * <p>Avro 1.12.2 refuses to make objects of generated classes that are not trusted (AVRO-4189); trust for farnode's own
 * two packages is given when this class is loaded. Code that calls {@code newBuilder()} of a generated class before it
 * has touched any other class of this package calls {@link #trustGeneratedClasses()} first.
 */
public final class SchemaCatalog {
    private static final Map<String, Schema> CURRENT = new TreeMap<>();

    static {
        ClassSecurityValidator.setGlobal(
                ClassSecurityValidator.composite(ClassSecurityValidator.getGlobal(), SchemaCatalog::isOurs));
        for (Schema schema : new Schema[] {
            RunStarted.getClassSchema(),
            Sample.getClassSchema(),
            RunFinished.getClassSchema(),
            RunInfo.getClassSchema(),
            WindowResult.getClassSchema(),
            RunSummary.getClassSchema(),
            Verdict.getClassSchema()
        }) {
            CURRENT.put(schema.getFullName(), schema);
        }
        useGeneratedCoders(Sample.class);
        useGeneratedCoders(WindowResult.class);
    }

    private final Map<Long, Schema> byFingerprint = new ConcurrentHashMap<>();
    private final LongFunction<Optional<Schema>> source;

    /** A catalogue of this version's schemas alone. */
    public SchemaCatalog() {
        this(fingerprint -> Optional.empty());
    }

    /**
     * A catalogue that asks for schemas it does not know.
     *
     * @param source gives the schema of a fingerprint, or nothing
     */
    public SchemaCatalog(LongFunction<Optional<Schema>> source) {
        this.source = source;
        CURRENT.values().forEach(schema -> byFingerprint.put(fingerprint(schema), schema));
    }

    /** Lets Avro make objects of farnode's generated classes. Cheap, and harmless when called again. */
    public static void trustGeneratedClasses() {
        // the static initialiser has done it
    }

    /** {@return the schemas this version writes, by full name} */
    public static Map<String, Schema> current() {
        return Map.copyOf(CURRENT);
    }

    /**
     * {@return the CRC-64-AVRO fingerprint of a schema's canonical form, as in single-object encoding}
     *
     * @param schema the schema
     */
    public static long fingerprint(Schema schema) {
        return SchemaNormalization.parsingFingerprint64(schema);
    }

    /**
     * {@return a fingerprint as it stands in keys of {@link Topics#SCHEMAS}: 16 hex digits}
     *
     * @param fingerprint the fingerprint
     */
    public static String fingerprintText(long fingerprint) {
        return String.format("%016x", fingerprint);
    }

    /**
     * Finds a writer schema.
     *
     * @param fingerprint its fingerprint
     * @return the schema, or nothing if neither this version nor the source knows it
     */
    public Optional<Schema> find(long fingerprint) {
        Schema known = byFingerprint.get(fingerprint);
        if (known == null) {
            known = source.apply(fingerprint).orElse(null);
            if (known != null) {
                byFingerprint.put(fingerprint, known);
            }
        }
        return Optional.ofNullable(known);
    }

    private static boolean isOurs(Class<?> type) {
        String name = type.getName();
        return name.startsWith("io.farnode.telemetry.") || name.startsWith("io.farnode.results.");
    }

    /** Halves the cost of encoding. Decoding is not touched: Avro's fast reader is quicker still, and stays in charge. */
    private static void useGeneratedCoders(Class<?> type) {
        SpecificData.getForClass(type).setCustomCoders(true);
    }
}
