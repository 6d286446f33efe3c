package io.farnode.producer.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.farnode.contract.Codec;
import io.farnode.contract.SchemaCatalog;
import io.farnode.producer.capture.CaptureException;
import io.farnode.producer.capture.CaptureOptions;
import io.farnode.producer.capture.LineAccount;
import io.farnode.telemetry.Flag;
import io.farnode.telemetry.Machine;
import io.farnode.telemetry.Origin;
import io.farnode.telemetry.RunFinished;
import io.farnode.telemetry.Sample;
import io.farnode.telemetry.Source;
import io.farnode.telemetry.TimeBasis;
import io.farnode.telemetry.Tool;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CaptureRunTest {
    private static final String ROWS = """
             r  b   free   in   cs us sy id
             1  0    100   90  150  1  0 99
             2  0    101  500  800 12  6 82
             3  0    102  600  900 12  6 82
            """;

    @TempDir
    Path directory;

    private String file(String name, String text) throws IOException {
        Path path = directory.resolve(name);
        Files.writeString(path, text);
        return path.toString();
    }

    private String resource(String name) throws IOException {
        Path path = directory.resolve(name.substring(name.lastIndexOf('/') + 1));
        try (InputStream stream = getClass().getResourceAsStream("/captures/" + name)) {
            Files.write(path, stream.readAllBytes());
        }
        return path.toString();
    }

    private static List<Sample> tell(CaptureRun run) throws IOException {
        // every record of every run that a test tells must be one that can be published
        Codec codec = new Codec(new SchemaCatalog());
        codec.encode(run.started());
        List<Sample> samples = new ArrayList<>();
        for (Sample sample = run.next(); sample != null; sample = run.next()) {
            codec.encode(sample);
            samples.add(sample);
        }
        codec.encode(run.finished());
        return samples;
    }

    private CaptureRun real(Map<String, String> perfOptions) throws IOException {
        return CaptureRun.open(CaptureRun.Settings.of(
                        "real-1",
                        List.of(
                                CaptureOptions.parse(resource("real/vmstat.txt.gz")),
                                CaptureOptions.parse(resource("real/perf.csv.gz"), perfOptions)))
                .withWorkload("default", "stress", "write", "block:block_rq_complete")
                .withExperiment("exp", "baseline", 2)
                .withLabels(Map.of("k", "v"))
                .withMachine(new Machine("box", "x86_64", "", List.of(0, 0), List.of(10), List.of())));
    }

    @Test
    void shouldMergeSourcesInTheOrderOfEventTime() throws Exception {
        try (CaptureRun run = real(Map.of("zone", "UTC"))) {
            assertThat(run.started().getRunId()).isEqualTo("real-1");
            assertThat(run.started().getOrigin()).isEqualTo(Origin.CAPTURED);
            assertThat(run.started().getTimeBasis()).isEqualTo(TimeBasis.WALL);
            assertThat(run.started().getStartNanos()).isEqualTo(1_796_069_290_000_000_000L);
            assertThat(run.started().getSources())
                    .extracting(Source::getName, Source::getTool, Source::getFormat)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple("vmstat", Tool.VMSTAT, "vmstat"),
                            org.assertj.core.groups.Tuple.tuple("perf-csv", Tool.PERF_STAT, "perf-csv"));
            assertThat(run.started().getSources())
                    .allSatisfy(s -> assertThat(s.getSha256()).matches("[0-9a-f]{64}"));
            assertThat(run.started().getMachine().getName()).isEqualTo("box");
            assertThat(run.started().getArm()).isEqualTo("baseline");
            assertThat(run.progress().fraction()).isBetween(0.0, 1.0);
            assertThatThrownBy(run::finished).isInstanceOf(IllegalStateException.class);

            List<Sample> samples = tell(run);

            assertThat(samples).hasSize(700 + 694);
            long vmstat = 0;
            long perf = 0;
            long end = 0;
            for (Sample sample : samples) {
                assertThat(sample.getRunId()).isEqualTo("real-1");
                assertThat(sample.getEndNanos()).isGreaterThanOrEqualTo(end);
                end = sample.getEndNanos();
                assertThat(sample.getSequence()).isEqualTo(sample.getSource().equals("vmstat") ? ++vmstat : ++perf);
            }
            RunFinished finished = run.finished();
            assertThat(finished.getLastSequence()).containsOnly(Map.entry("vmstat", 700L), Map.entry("perf-csv", 694L));
            assertThat(finished.getSamples()).isEqualTo(1394);
            assertThat(finished.getEndNanos()).isEqualTo(end);
            assertThat(finished.getComplete()).isTrue();
            assertThat(run.next()).isNull();
            assertThat(run.progress().fraction()).isEqualTo(1.0);
            assertThat(run.progress().samples()).isEqualTo(1394);
            assertThat(run.progress().values()).isEqualTo(finished.getValues());
            assertThat(run.summary()).hasSize(2);
            assertThat(run.summary().get(1).account().count(LineAccount.Kind.READING))
                    .isEqualTo(9716);
            assertThat(run.summary().get(0).toString())
                    .startsWith("vmstat (")
                    .endsWith("vmstat.txt.gz): 700 samples from 768 lines: 700 readings, 68 headers, 0 comments,"
                            + " 0 noise, 0 errors");
        }
    }

    @Test
    void shouldTellTheSameRunAgainByteForByte() throws Exception {
        List<byte[]> told = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            Codec codec = new Codec(new SchemaCatalog());
            try (CaptureRun run = real(Map.of("zone", "UTC"))) {
                bytes.write(codec.encode(run.started()));
                for (Sample sample = run.next(); sample != null; sample = run.next()) {
                    bytes.write(codec.encode(sample));
                }
                bytes.write(codec.encode(run.finished()));
            }
            told.add(bytes.toByteArray());
        }
        assertThat(told.get(0)).isEqualTo(told.get(1));
    }

    @Test
    void shouldDigestFilesAndOptions() throws Exception {
        String one = file("one.txt", ROWS);
        String two = file("two.txt", ROWS.replace("900", "901"));
        List<String> digests = new ArrayList<>();
        for (CaptureOptions options : List.of(
                CaptureOptions.parse(one, Map.of("start", "@1772442000", "interval", "1s")),
                CaptureOptions.parse(two, Map.of("start", "@1772442000", "interval", "1s")),
                CaptureOptions.parse(one, Map.of("start", "@1772442001", "interval", "1s")),
                CaptureOptions.parse(one, Map.of("start", "@1772442000", "interval", "1s", "offset", "1s")))) {
            try (CaptureRun run = CaptureRun.open(CaptureRun.Settings.of("r", List.of(options)))) {
                digests.add(run.started().getInputDigest());
            }
        }
        assertThat(digests).doesNotHaveDuplicates();
    }

    @Test
    void shouldShiftASourceByItsOffsetAndSaySo() throws Exception {
        try (CaptureRun run = real(Map.of("zone", "UTC", "offset", "-250ms"))) {
            assertThat(run.started().getStartNanos()).isEqualTo(1_796_069_289_750_000_000L);
            assertThat(run.started().getSources().get(1).getOffsetNanos()).isEqualTo(-250_000_000L);
            assertThat(run.started().getSources().get(1).getOptions()).containsEntry("offset", "-250ms");
            Sample first = tell(run).stream()
                    .filter(s -> s.getSource().equals("perf-csv"))
                    .findFirst()
                    .orElseThrow();
            assertThat(first.getEndNanos()).isEqualTo(1_796_069_290_751_129_966L);
        }
    }

    @Test
    void shouldNameSourcesOfTheSameFormatApart() throws Exception {
        Map<String, String> clock = Map.of("start", "@1772442000", "interval", "1s");
        CaptureOptions one = CaptureOptions.parse(file("one.txt", ROWS), clock);
        CaptureOptions two = CaptureOptions.parse(file("two.txt", ROWS), clock);
        try (CaptureRun run = CaptureRun.open(CaptureRun.Settings.of("r", List.of(one, two)))) {
            assertThat(run.started().getTimeBasis()).isEqualTo(TimeBasis.ASSUMED);
            assertThat(tell(run))
                    .extracting(s -> s.getSource() + " " + s.getSequence())
                    .containsExactly("vmstat 1", "vmstat-2 1", "vmstat 2", "vmstat-2 2", "vmstat 3", "vmstat-2 3");
        }
    }

    @Test
    void shouldTellEachRowOfALivePipeAtOnce() throws Exception {
        AtomicLong clock = new AtomicLong(1_000_000_000_000L);
        PipedOutputStream writer = new PipedOutputStream();
        try (PipedInputStream pipe = new PipedInputStream(writer)) {
            String[] lines = ROWS.split("\n");
            writer.write((lines[0] + "\n" + lines[1] + "\n").getBytes(StandardCharsets.UTF_8));
            writer.flush();
            try (CaptureRun run = CaptureRun.open(
                    CaptureRun.Settings.of("live", List.of(CaptureOptions.parse("-")))
                            .withStandardInput(pipe),
                    clock::get,
                    50)) {
                assertThat(run.isLive()).isTrue();
                assertThat(run.progress().fraction()).isNegative();
                assertThat(run.started().getTimeBasis()).isEqualTo(TimeBasis.ASSUMED);
                Sample first = run.next();
                assertThat(first.getEndNanos()).isEqualTo(1_000_000_000_000L);
                assertThat(first.getFlags()).contains(Flag.TIME_ASSUMED);
                for (int i = 2; i < lines.length; i++) {
                    long arrival = clock.addAndGet(1_000_000_000L);
                    writer.write((lines[i] + "\n").getBytes(StandardCharsets.UTF_8));
                    writer.flush();
                    // the pipe stays open and silent: the row must not wait for the next one
                    Sample sample = CompletableFuture.supplyAsync(() -> {
                                try {
                                    return run.next();
                                } catch (IOException e) {
                                    throw new IllegalStateException(e);
                                }
                            })
                            .get(20, TimeUnit.SECONDS);
                    assertThat(sample.getStartNanos()).isEqualTo(arrival - 1_000_000_000L);
                    assertThat(sample.getEndNanos()).isEqualTo(arrival);
                }
                writer.close();
                assertThat(run.next()).isNull();
                assertThat(run.finished().getComplete()).isTrue();
            }
        }
    }

    @Test
    void shouldTellAnIntervalOfALivePerfWhenItFallsSilent() throws Exception {
        PipedOutputStream writer = new PipedOutputStream();
        try (PipedInputStream pipe = new PipedInputStream(writer)) {
            writer.write("1.000000000,CPU0,5,,cycles,9,100.00,,\n1.000000000,CPU1,6,,cycles,9,100.00,,\n"
                    .getBytes(StandardCharsets.UTF_8));
            writer.flush();
            try (CaptureRun run = CaptureRun.open(
                    CaptureRun.Settings.of("live", List.of(CaptureOptions.parse("-")))
                            .withStandardInput(pipe),
                    () -> 5_000_000_000L,
                    50)) {
                Sample first = run.next();
                assertThat(first.getScopes()).containsExactly("cpu0", "cpu1");
                assertThat(first.getStartNanos()).isEqualTo(4_000_000_000L);
                assertThat(first.getEndNanos()).isEqualTo(5_000_000_000L);
                run.stop();
                assertThat(run.next()).isNull();
                assertThat(run.finished().getComplete()).isFalse();
            }
        }
    }

    @Test
    void shouldStopAPipeThatSaysNothing() throws Exception {
        PipedOutputStream writer = new PipedOutputStream();
        try (PipedInputStream pipe = new PipedInputStream(writer)) {
            writer.write(ROWS.getBytes(StandardCharsets.UTF_8));
            writer.flush();
            CaptureRun run = CaptureRun.open(
                    CaptureRun.Settings.of("live", List.of(CaptureOptions.parse("-")))
                            .withStandardInput(pipe),
                    System::nanoTime,
                    50);
            assertThat(List.of(run.next(), run.next(), run.next())).hasSize(3);
            CompletableFuture<Sample> waiting = CompletableFuture.supplyAsync(() -> {
                try {
                    return run.next();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            run.stop();
            assertThat(waiting.get(20, TimeUnit.SECONDS)).isNull();
            run.close();
        }
    }

    @Test
    void shouldSayWhatIsWrongWithAFile() throws Exception {
        String missing = directory.resolve("missing.txt").toString();
        assertRefused(missing, missing + ": no such file");
        assertRefused(
                "mpstat:x",
                "mpstat:x: no such file; if \"mpstat\" is meant as a format, the known ones are vmstat, perf-csv");
        assertRefused(directory.toString(), directory + ": is a directory; give a file");
        String file = file("ny.txt", ROWS);
        for (String more : List.of("zoen=UTC", "zoen=UTC,interval=1s")) {
            assertRefused(
                    file + "," + more,
                    file + "," + more
                            + ": unknown option \"zoen\"; options are date, first, interval, offset, separator,"
                            + " start, unit, zone");
        }
        String comma = file("a,b=c.txt", ROWS);
        CaptureRun.open(CaptureRun.Settings.of(
                        "r", List.of(CaptureOptions.parse(comma, Map.of("start", "@0", "interval", "1s")))))
                .close();
        String empty = file("empty.txt", "");
        assertRefused(empty, empty + ": empty; there is nothing to read");
        assertRefused("vmstat:" + empty, empty + ": empty; there is nothing to read");
        Path xz = directory.resolve("a.xz");
        Files.write(xz, new byte[] {(byte) 0xFD, '7', 'z', 'X', 'Z', 0, 1, 2});
        assertRefused(xz.toString(), xz + ": packed with xz; unpack it first (gzip can stay packed)");
        Path binary = directory.resolve("a.bin");
        Files.write(binary, new byte[] {1, 2, 0, 3});
        assertRefused(
                binary.toString(),
                binary + ": binary file (zero byte at offset 2); farnode reads the text that tools"
                        + " print: vmstat, perf-csv");
        assertThatThrownBy(() -> CaptureRun.open(CaptureRun.Settings.of("a b", List.of(CaptureOptions.parse("x")))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("run id \"a b\"");
        assertThatThrownBy(() -> CaptureRun.open(
                        CaptureRun.Settings.of("r", List.of(CaptureOptions.parse("-"), CaptureOptions.parse("-")))))
                .hasMessage("standard input: given twice; it can be read once");
    }

    @Test
    void shouldSayWhereADamagedArchiveEnds() throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(ROWS.getBytes(StandardCharsets.UTF_8));
        }
        Path cut = directory.resolve("cut.gz");
        Files.write(cut, java.util.Arrays.copyOf(packed.toByteArray(), packed.size() - 12));
        assertThatThrownBy(() -> {
                    try (CaptureRun run = CaptureRun.open(CaptureRun.Settings.of(
                            "r",
                            List.of(CaptureOptions.parse(
                                    cut.toString(), Map.of("start", "@1772442000", "interval", "1s")))))) {
                        tell(run);
                    }
                })
                .isInstanceOf(CaptureException.class)
                .hasMessageContaining("damaged gzip");
    }

    private static void assertRefused(String target, String message) {
        assertThatThrownBy(() -> CaptureRun.open(CaptureRun.Settings.of("r", List.of(CaptureOptions.parse(target)))))
                .isInstanceOf(CaptureException.class)
                .hasMessage(message);
    }

    @Test
    void shouldSplitASampleThatIsTooLargeForARecord() throws Exception {
        StringBuilder text = new StringBuilder();
        for (int cpu = 0; cpu < 10; cpu++) {
            text.append("1.000000000,CPU").append(cpu).append(',');
            text.append(cpu == 3 ? "<not counted>" : cpu).append(",,cycles,9,100.00,,\n");
        }
        try (CaptureRun run = CaptureRun.open(CaptureRun.Settings.of(
                "r", List.of(CaptureOptions.parse(file("p.csv", text.toString()), Map.of("start", "@1772442000")))))) {
            Sample whole = run.next();
            List<Sample> parts = SampleParts.split(whole, 60);
            assertThat(parts).hasSizeGreaterThan(1);
            List<Long> values = new ArrayList<>();
            List<String> scopes = new ArrayList<>();
            List<Byte> states = new ArrayList<>();
            for (Sample part : parts) {
                assertThat(part.getPart()).isEqualTo(parts.indexOf(part));
                assertThat(part.getParts()).isEqualTo(parts.size());
                assertThat(part.getColumns().get(0).getRunning()).hasSameSizeAs(part.getScopes());
                values.addAll(part.getColumns().get(0).getValues());
                scopes.addAll(part.getScopes());
                for (int i = 0; i < part.getScopes().size(); i++) {
                    states.add(part.getColumns().get(0).getStates().get(i));
                }
                new Codec(new SchemaCatalog()).encode(part);
            }
            assertThat(values).isEqualTo(whole.getColumns().get(0).getValues());
            assertThat(scopes).isEqualTo(whole.getScopes());
            assertThat(states.get(3)).isEqualTo((byte) 1);
            assertThat(SampleParts.split(whole, SampleParts.TARGET_BYTES)).containsExactly(whole);
        }
    }

    @Test
    void shouldReadStandardInputToItsEnd() throws Exception {
        InputStream input = new ByteArrayInputStream(ROWS.getBytes(StandardCharsets.UTF_8));
        try (CaptureRun run = CaptureRun.open(CaptureRun.Settings.of(
                        "r",
                        List.of(CaptureOptions.parse("-", Map.of("start", "2026-03-02T09:00:00Z", "interval", "2s"))))
                .withStandardInput(input))) {
            List<Sample> samples = tell(run);
            assertThat(samples).hasSize(3);
            assertThat(Duration.ofNanos(
                            samples.get(2).getEndNanos() - samples.get(0).getEndNanos()))
                    .isEqualTo(Duration.ofSeconds(4));
        }
    }

    @Test
    void shouldNotTakeARecordingInAPipeForALiveOne() {
        String many = ROWS
                + ROWS.lines().skip(1).findFirst().orElseThrow().concat("\n").repeat(20);
        InputStream input = new ByteArrayInputStream(many.getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> {
                    try (CaptureRun run = CaptureRun.open(
                            CaptureRun.Settings.of("r", List.of(CaptureOptions.parse("-")))
                                    .withStandardInput(input),
                            () -> 1_000_000_000L,
                            50)) {
                        tell(run);
                    }
                })
                .isInstanceOf(CaptureException.class)
                .hasMessage("standard input: rows come faster than vmstat prints them, so this is a recording, and"
                        + " without -t it has no clock: pass --start and --interval");
    }
}
