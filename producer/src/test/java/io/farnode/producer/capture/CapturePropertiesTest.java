package io.farnode.producer.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.contract.SampleBuilder;
import io.farnode.telemetry.Column;
import io.farnode.telemetry.ValueKind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** What is printed comes back exactly; what is damaged is accounted for. */
class CapturePropertiesTest {
    private static final List<String> NAMES = List.of(
            "r", "b", "swpd", "free", "inact", "active", "buff", "cache", "si", "so", "bi", "bo", "in", "cs", "us",
            "sy", "id", "wa", "st", "gu");
    private static final Map<String, String> OPTIONS =
            Map.of("start", "2026-03-02T09:00:00Z", "interval", "1s", "zone", "UTC");

    @Property(tries = 200)
    void shouldGiveBackTheRowsOfVmstatAsPrinted(
            @ForAll("columns") List<String> columns,
            @ForAll @Size(min = 1, max = 6) List<@Size(20) List<@LongRange(min = 0, max = 999_999_999_999L) Long>> rows,
            @ForAll("prefixes") String prefix) {
        StringBuilder text = new StringBuilder(prefix + "procs ---memory--- -system--\n" + prefix);
        columns.forEach(c -> text.append(String.format(Locale.ROOT, "%5s ", c)));
        text.append('\n');
        for (List<Long> row : rows) {
            text.append(prefix);
            for (int i = 0; i < columns.size(); i++) {
                text.append(String.format(Locale.ROOT, "%5d ", printed(columns.get(i), row.get(i))));
            }
            text.append('\n');
        }
        Readings read = Readings.of(text.toString(), OPTIONS);

        assertThat(read.samples()).hasSize(rows.size());
        for (int row = 0; row < rows.size(); row++) {
            assertThat(read.sample(row).getColumns()).hasSize(columns.size());
            for (int i = 0; i < columns.size(); i++) {
                assertThat(read.system(row, columns.get(i)))
                        .isEqualTo(Long.toString(
                                printed(columns.get(i), rows.get(row).get(i))));
            }
        }
        assertThat(read.account().count(LineAccount.Kind.READING)).isEqualTo(rows.size());
        assertThat(read.account().count(LineAccount.Kind.HEADER)).isEqualTo(2);
    }

    /** A share is never above 100 %. */
    private static long printed(String column, long value) {
        return List.of("us", "sy", "id", "wa", "st", "gu").contains(column) ? value % 101 : value;
    }

    @Provide
    Arbitrary<List<String>> columns() {
        return Arbitraries.shuffle(NAMES)
                .flatMap(all -> Arbitraries.integers().between(4, all.size()).map(n -> List.copyOf(all.subList(0, n))));
    }

    @Provide
    Arbitrary<String> prefixes() {
        return Arbitraries.of("", "> ", ">>> ", "\t", ">> > ");
    }

    /** One counter of one scope in one interval, as perf would know it. */
    record Cell(String event, String unit, int state, long hundredths, boolean decimals, int percent, String metric) {}

    @Provide
    Arbitrary<Cell> cells() {
        return Combinators.combine(
                        Arbitraries.of(
                                "cycles",
                                "context-switches",
                                "irq:irq_handler_entry:u",
                                "cpu-clock",
                                "uncore_imc_0/event=0x4,umask=0x3/",
                                "cpu/event=0x3c,umask=0x0/u"),
                        Arbitraries.of("", "msec", "Joules"),
                        Arbitraries.frequencyOf(
                                net.jqwik.api.Tuple.of(6, Arbitraries.just(0)),
                                net.jqwik.api.Tuple.of(1, Arbitraries.of(1, 2))),
                        Arbitraries.longs().between(0, 99_999_999_999_999_999L),
                        Arbitraries.of(true, false),
                        Arbitraries.integers().between(1, 10_000),
                        Arbitraries.of("", "5.119,K/sec", "0.80,insn per cycle"))
                .as(Cell::new);
    }

    @Property(tries = 300)
    void shouldGiveBackIntervalsOfPerfAsPrinted(
            @ForAll @Size(min = 1, max = 4)
                    List<@Size(min = 1, max = 8) List<@net.jqwik.api.From("cells") Cell>> intervals,
            @ForAll("layouts") Layout layout) {
        StringBuilder text = new StringBuilder("# started on Mon Mar  2 09:00:00 2026\n\n");
        int lines = 0;
        for (int i = 0; i < intervals.size(); i++) {
            int place = 0;
            for (Cell cell : intervals.get(i)) {
                text.append(layout.row(i + 1, place++, cell)).append('\n');
                lines++;
            }
        }
        Readings read = Readings.of(text.toString(), OPTIONS);

        assertThat(read.account().errors()).isEmpty();
        assertThat(read.account().count(LineAccount.Kind.READING)).isEqualTo(lines);
        assertThat(read.samples()).hasSize(intervals.size());
        for (int i = 0; i < intervals.size(); i++) {
            assertThat(read.end(i).getEpochSecond()).isEqualTo(1772442000L + i + 1);
            int place = 0;
            for (Cell cell : intervals.get(i)) {
                String scope = layout.scope(place++);
                Column column = read.sample(i).getColumns().stream()
                        .filter(c -> c.getRawName().equals(cell.event())
                                && c.getKind() == ValueKind.DELTA
                                && c.getUnit().equals(MetricNames.perfUnit(cell.unit())))
                        .findFirst()
                        .orElseThrow();
                int at = read.sample(i).getScopes().indexOf(scope);
                assertThat(read.state(i, java.util.Optional.of(column), scope)).isEqualTo((byte) cell.state());
                if (cell.state() == SampleBuilder.VALUE) {
                    BigDecimal printed = new BigDecimal(Layout.number(cell));
                    assertThat(BigDecimal.valueOf(column.getValues().get(at), column.getScale()))
                            .isEqualByComparingTo(printed);
                    assertThat(column.getRunning().get(at)).isEqualTo(cell.percent());
                } else {
                    assertThat(column.getRunning().get(at)).isZero();
                }
            }
        }
    }

    /** How one version of perf, with its options, lays out a row. */
    record Layout(String separator, boolean padded, String id, boolean counted, boolean variance) {
        String row(int second, int place, Cell cell) {
            List<String> fields = new ArrayList<>();
            fields.add((padded ? "     " : "") + second + ".000210400");
            fields.add(String.format(Locale.ROOT, id, place));
            if (counted) {
                fields.add("2");
            }
            fields.add(cell.state() == 0 ? number(cell) : cell.state() == 1 ? "<not counted>" : "<not supported>");
            fields.add(cell.unit());
            fields.add(cell.event());
            if (variance) {
                fields.add("0.00%");
            }
            fields.add(cell.state() == 0 ? "1000211001" : "0");
            fields.add(
                    cell.state() == 0
                            ? String.format(Locale.ROOT, "%d.%02d", cell.percent() / 100, cell.percent() % 100)
                            : "100.00");
            fields.addAll(
                    cell.metric().isEmpty()
                            ? List.of("", "")
                            : List.of(cell.metric().split(",")));
            return String.join(separator, fields);
        }

        static String number(Cell cell) {
            return cell.decimals()
                    ? BigDecimal.valueOf(cell.hundredths(), 2).toPlainString()
                    : Long.toString(cell.hundredths() / 100);
        }

        String scope(int place) {
            return PerfCsvRow.scopeOf(String.format(Locale.ROOT, id, place)).text();
        }
    }

    @Provide
    Arbitrary<Layout> layouts() {
        return Combinators.combine(
                        Arbitraries.of(",", ";", "\t"),
                        Arbitraries.of(true, false),
                        Arbitraries.of("CPU%d", "S%d", "S0-D0-C%d", "S1-C%d", "N%d", "a thread-%d"),
                        Arbitraries.of(true, false))
                .as((separator, padded, id, variance) ->
                        new Layout(separator, padded, id, !id.startsWith("CPU") && !id.startsWith("a"), variance));
    }

    @Property(tries = 3000)
    void shouldAccountForEveryLineOfADamagedCapture(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 12) int wounds,
            @ForAll @IntRange(min = 0, max = 9) int which)
            throws IOException {
        String[] files = {
            "cases/01-vmstat-seed-trimmed.in",
            "cases/03-vmstat-active-quoted-mail.in",
            "cases/05-vmstat-dst-fold.in",
            "cases/07-vmstat-wrapper-time-midnight.in",
            "cases/09-perf-csv-percpu.in",
            "cases/11-perf-csv-percore.in",
            "cases/13-perf-csv-old-formats.in",
            "cases/15-perf-csv-locale-comma.in",
            "cases/17-perf-csv-metric-rows-summary.in",
            "mail/its-numa.txt"
        };
        byte[] bytes = Readings.resource(files[which]);
        Random random = new Random(seed);
        for (int i = 0; i < wounds; i++) {
            bytes = wound(bytes, random);
        }
        CaptureFormat format = which < 4 || which == 9 ? CaptureFormat.VMSTAT : CaptureFormat.PERF_CSV;
        LineSource lines = new LineSource(ByteSource.of(new ByteArrayInputStream(bytes)));
        CaptureReader reader = format.open(lines, CaptureOptions.parse("damaged", OPTIONS));
        long readings = 0;
        long end = Long.MIN_VALUE;
        boolean whole = false;
        try {
            for (var sample = reader.next(); sample != null; sample = reader.next()) {
                readings += sample.getColumns().size();
                assertThat(sample.getEndNanos()).isGreaterThanOrEqualTo(end);
                assertThat(sample.getStartNanos()).isLessThanOrEqualTo(sample.getEndNanos());
                assertThat(sample.getColumns()).isNotEmpty();
                for (Column column : sample.getColumns()) {
                    assertThat(column.getValues()).hasSameSizeAs(sample.getScopes());
                }
                end = sample.getEndNanos();
            }
            whole = true;
        } catch (CaptureException e) {
            assertThat(e.getMessage()).startsWith("damaged").doesNotContain("\n");
        }
        LineAccount account = reader.account();
        if (whole) {
            assertThat(account.lines()).isEqualTo(lineCount(bytes));
            assertThat(account.count(LineAccount.Kind.READING) > 0).isEqualTo(readings > 0);
        } else {
            assertThat(account.lines()).isLessThanOrEqualTo(lineCount(bytes));
        }
        assertThat(Arrays.stream(LineAccount.Kind.values())
                        .mapToLong(account::count)
                        .sum())
                .isEqualTo(account.lines());
        assertThat(account.errors())
                .hasSize((int) account.count(LineAccount.Kind.ERROR))
                .allSatisfy(e -> {
                    assertThat(e.line()).isBetween(1L, account.lines());
                    assertThat(e.message()).isNotBlank();
                });
    }

    private static long lineCount(byte[] bytes) {
        long count = 0;
        for (byte b : bytes) {
            count += b == '\n' ? 1 : 0;
        }
        return count + (bytes.length > 0 && bytes[bytes.length - 1] != '\n' ? 1 : 0);
    }

    private static byte[] wound(byte[] bytes, Random random) {
        if (bytes.length == 0) {
            return bytes;
        }
        int at = random.nextInt(bytes.length);
        int length = Math.min(bytes.length - at, 1 + random.nextInt(20));
        switch (random.nextInt(5)) {
            case 0:
                byte[] changed = bytes.clone();
                changed[at] = (byte) random.nextInt(256);
                return changed;
            case 1:
                byte[] shorter = new byte[bytes.length - length];
                System.arraycopy(bytes, 0, shorter, 0, at);
                System.arraycopy(bytes, at + length, shorter, at, shorter.length - at);
                return shorter;
            case 2:
                byte[] longer = new byte[bytes.length + length];
                System.arraycopy(bytes, 0, longer, 0, at + length);
                System.arraycopy(bytes, at, longer, at + length, bytes.length - at);
                return longer;
            case 3:
                byte[] digits = "99999999999999999999,..-/<>%\n".getBytes(StandardCharsets.US_ASCII);
                byte[] inserted = new byte[bytes.length + 1];
                System.arraycopy(bytes, 0, inserted, 0, at);
                inserted[at] = digits[random.nextInt(digits.length)];
                System.arraycopy(bytes, at, inserted, at + 1, bytes.length - at);
                return inserted;
            default:
                return Arrays.copyOf(bytes, at);
        }
    }
}
