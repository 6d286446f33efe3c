package io.farnode.streams.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.contract.Codec;
import io.farnode.contract.SchemaCatalog;
import io.farnode.results.WindowResult;
import io.farnode.results.WindowSeries;
import io.farnode.telemetry.ValueKind;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

class WindowWriterTest {
    private final WindowWriter writer = new WindowWriter();
    private final Codec codec = new Codec(new SchemaCatalog());

    @Provide
    Arbitrary<WindowSeries> series() {
        return Combinators.combine(
                        Arbitraries.strings().ofMaxLength(6),
                        Arbitraries.of(ValueKind.class),
                        Arbitraries.integers().between(0, 18),
                        Arbitraries.integers().list().ofMaxSize(5),
                        Arbitraries.doubles().list().ofMaxSize(300),
                        Arbitraries.longs().list().ofMaxSize(300),
                        Arbitraries.doubles().between(0, 1).list().ofMaxSize(5),
                        Arbitraries.of(true, false))
                .as((name, kind, scale, positions, values, sums, coverage, arrays) -> new WindowSeries(
                        name,
                        "1/s",
                        kind,
                        scale,
                        positions,
                        arrays
                                ? new Numbers.Doubles(
                                        values.stream().mapToDouble(v -> v).toArray(), values.size())
                                : values,
                        arrays
                                ? new Numbers.Longs(
                                        sums.stream().mapToLong(v -> v).toArray(), sums.size())
                                : sums,
                        new Numbers.Floats(coverage.stream().mapToDouble(v -> v).toArray(), coverage.size())));
    }

    @Property(tries = 200)
    void shouldWriteTheBytesOfTheCodec(
            @ForAll("series") WindowSeries first,
            @ForAll("series") WindowSeries second,
            @ForAll @Size(max = 5) List<String> scopes,
            @ForAll long startNanos,
            @ForAll double coverage,
            @ForAll boolean complete,
            @ForAll boolean empty) {
        WindowResult window = new WindowResult(
                "run",
                startNanos,
                startNanos + 1,
                1L,
                coverage,
                complete,
                startNanos,
                new ArrayList<>(scopes),
                empty ? List.of() : List.of(first, second));
        byte[] expected = codec.encode(window);
        assertThat(writer.write(window)).isEqualTo(expected);
        assertThat(writer.write(window)).as("with the scopes remembered").isEqualTo(expected);
    }
}
