package io.farnode.producer.capture;

import io.farnode.contract.SampleBuilder;
import io.farnode.telemetry.Column;
import io.farnode.telemetry.Flag;
import io.farnode.telemetry.Sample;
import io.farnode.telemetry.ValueKind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A capture read whole, and ways to look into it. */
record Readings(CaptureFormat format, List<Sample> samples, LineAccount account, CaptureReader reader) {
    static Readings of(String text, Map<String, String> options) {
        return of(text.getBytes(StandardCharsets.UTF_8), CaptureOptions.parse("capture.txt", options));
    }

    static Readings of(byte[] bytes, CaptureOptions options) {
        try {
            LineSource lines = new LineSource(ByteSource.of(new ByteArrayInputStream(bytes)));
            CaptureFormat format = CaptureFormat.of(lines, options);
            CaptureReader reader = format.open(lines, options);
            List<Sample> samples = new ArrayList<>();
            for (Sample sample = reader.next(); sample != null; sample = reader.next()) {
                samples.add(sample);
            }
            return new Readings(format, samples, reader.account(), reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Readings ofResource(String name, Map<String, String> options) {
        return of(resource(name), CaptureOptions.parse(name.substring(name.lastIndexOf('/') + 1), options));
    }

    static byte[] resource(String name) {
        try (InputStream stream = Readings.class.getResourceAsStream("/captures/" + name)) {
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return what is remarked on single lines} */
    List<LineAccount.Remark> lineNotices() {
        return account.notices().stream().filter(n -> n.line() > 0).toList();
    }

    /** {@return what is remarked on the whole capture} */
    List<String> wholeNotices() {
        return account.notices().stream()
                .filter(n -> n.line() == 0)
                .map(LineAccount.Remark::toString)
                .toList();
    }

    Sample sample(int index) {
        return samples.get(index);
    }

    Instant start(int index) {
        return Instant.ofEpochSecond(0, samples.get(index).getStartNanos());
    }

    Instant end(int index) {
        return Instant.ofEpochSecond(0, samples.get(index).getEndNanos());
    }

    /** {@return the counter or level of a raw name; not the figures a tool derived} */
    Optional<Column> column(int index, String rawName) {
        return samples.get(index).getColumns().stream()
                .filter(c -> c.getRawName().equals(rawName) && c.getKind() != ValueKind.DERIVED)
                .findFirst();
    }

    Optional<Column> derived(int index, String rawName, String unit) {
        return samples.get(index).getColumns().stream()
                .filter(c -> c.getRawName().equals(rawName)
                        && c.getKind() == ValueKind.DERIVED
                        && c.getUnit().equals(unit))
                .findFirst();
    }

    byte state(int index, Optional<Column> column, String scope) {
        int at = samples.get(index).getScopes().indexOf(scope);
        if (column.isEmpty() || at < 0) {
            return SampleBuilder.ABSENT;
        }
        return column.get().getStates().remaining() == 0
                ? SampleBuilder.VALUE
                : column.get().getStates().get(column.get().getStates().position() + at);
    }

    byte state(int index, String rawName, String scope) {
        return state(index, column(index, rawName), scope);
    }

    /** {@return the exact value, or null when there is none} */
    BigDecimal value(int index, Optional<Column> column, String scope) {
        if (state(index, column, scope) != SampleBuilder.VALUE) {
            return null;
        }
        int at = samples.get(index).getScopes().indexOf(scope);
        return BigDecimal.valueOf(column.get().getValues().get(at), column.get().getScale());
    }

    BigDecimal value(int index, String rawName, String scope) {
        return value(index, column(index, rawName), scope);
    }

    /** {@return the value in scope "system" as text, or "none"} */
    String system(int index, String rawName) {
        BigDecimal value = value(index, rawName, "system");
        return value == null ? "none" : value.toPlainString();
    }

    int running(int index, String rawName, String scope) {
        Column column = column(index, rawName).orElseThrow();
        return column.getRunning().isEmpty()
                ? SampleBuilder.UNKNOWN
                : column.getRunning().get(samples.get(index).getScopes().indexOf(scope));
    }

    int counters(int index, String rawName, String scope) {
        Column column = column(index, rawName).orElseThrow();
        return column.getCounters().isEmpty()
                ? SampleBuilder.UNKNOWN
                : column.getCounters().get(samples.get(index).getScopes().indexOf(scope));
    }

    List<Flag> flags(int index, String rawName) {
        return column(index, rawName).orElseThrow().getFlags();
    }

    List<Flag> flags(int index) {
        return samples.get(index).getFlags();
    }
}
