package io.farnode.streams.topology;

import io.farnode.contract.Scope;
import io.farnode.contract.Signal;
import io.farnode.results.SignalSeries;
import io.farnode.results.WindowResult;
import io.farnode.results.WindowSeries;
import io.farnode.streams.window.WindowReport;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The signals of closed windows, kept until the run finishes: what a comparison needs, for the system and for each node.
 * CPUs are left out: a hundred of them would only water down every test made together with them.
 */
final class SignalRows {
    private SignalRows() {}

    /** {@return the judged values of a window as bytes; only complete ones stand in it} */
    static byte[] row(WindowResult window, double threshold) {
        List<byte[]> cells = new ArrayList<>();
        int length = 0;
        if (window.getComplete()) {
            for (WindowSeries series : window.getSeries()) {
                // signals stand before events
                if (series.getName().startsWith(WindowReport.EVENT_PREFIX)) {
                    break;
                }
                for (int i = 0; i < series.getValues().size(); i++) {
                    int position = series.getScopeIndex().isEmpty()
                            ? i
                            : series.getScopeIndex().get(i);
                    String scope = window.getScopes().get(position);
                    // in the order of scopes, system and nodes stand first
                    if (!isJudged(scope)) {
                        break;
                    }
                    boolean covered = series.getCoverage().isEmpty()
                            || series.getCoverage().get(i) >= threshold;
                    if (covered) {
                        byte[] cell = cell(
                                series.getName(),
                                series.getUnit(),
                                scope,
                                series.getValues().get(i));
                        cells.add(cell);
                        length += cell.length;
                    }
                }
            }
        }
        ByteBuffer out = ByteBuffer.allocate(length);
        cells.forEach(out::put);
        return out.array();
    }

    private static boolean isJudged(String scope) {
        return scope.equals(Scope.SYSTEM.text()) || scope.startsWith("node");
    }

    private static byte[] cell(String name, String unit, String scope, double value) {
        byte[] nameBytes = StateKeys.bytes(name);
        byte[] unitBytes = StateKeys.bytes(unit);
        byte[] scopeBytes = StateKeys.bytes(scope);
        return ByteBuffer.allocate(
                        3 * Integer.BYTES + nameBytes.length + unitBytes.length + scopeBytes.length + Double.BYTES)
                .putInt(nameBytes.length)
                .put(nameBytes)
                .putInt(unitBytes.length)
                .put(unitBytes)
                .putInt(scopeBytes.length)
                .put(scopeBytes)
                .putDouble(value)
                .array();
    }

    /** Gathers rows, window by window, into series. */
    static final class Gatherer {
        private final Map<Key, SignalSeries> series = new TreeMap<>(
                Comparator.comparing(Key::signal).thenComparing(Key::scope).thenComparing(Key::unit));
        private int windows;

        private record Key(Signal signal, String scope, String unit) {}

        /** Takes the row of a window; rows come in ascending order of windows. Windows before the run are no part. */
        void add(long window, byte[] row) {
            if (window < 0) {
                return;
            }
            windows++;
            ByteBuffer in = ByteBuffer.wrap(row);
            while (in.hasRemaining()) {
                Signal signal = Signal.byName(StateKeys.text(in)).orElse(null);
                String unit = StateKeys.text(in);
                String scope = StateKeys.text(in);
                double value = in.getDouble();
                if (signal != null) {
                    SignalSeries of = series.computeIfAbsent(
                            new Key(signal, scope, unit),
                            key -> new SignalSeries(
                                    signal.signalName(),
                                    unit,
                                    scope,
                                    signal.better(),
                                    new ArrayList<>(),
                                    new ArrayList<>(),
                                    0));
                    of.getWindows().add((int) window);
                    of.getValues().add(value);
                }
            }
        }

        /** {@return the series, by signal and scope} */
        List<SignalSeries> gathered() {
            series.values()
                    .forEach(one -> one.setLeftOut(windows - one.getWindows().size()));
            return List.copyOf(series.values());
        }
    }
}
