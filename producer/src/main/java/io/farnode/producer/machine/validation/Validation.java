package io.farnode.producer.machine.validation;

import io.farnode.producer.machine.DataFile;
import io.farnode.producer.machine.workload.Scenario;
import io.farnode.producer.machine.workload.SimulatedRun;
import io.farnode.telemetry.Column;
import io.farnode.telemetry.Sample;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Simulates every posted cell and compares. Each cell is run noise off under baseline and candidate, with each of its seeds
 * and with each other value of its unknown parameters; what is compared is what the simulated tools print. Cells AFTER are
 * read when all runs are over. The result is a function of the bundled files, whatever the number of threads.
 */
public final class Validation {
    private static final String SWEEP = ".sweep.";
    private static final long SECOND = 1_000_000_000L;
    /** Two standard deviations: 95 of 100. */
    private static final double DEVIATIONS = 2;

    private final DataFile parameters;
    private final DataFile remarks;

    /** Where a validation says how far it is; called from its threads, one at a time. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Called when a run is over.
         *
         * @param done runs that are over
         * @param all runs there are
         */
        void update(int done, int all);
    }

    /** One setting of a cell: a seed, or another value of a parameter. */
    private record Variation(String key, String value) {
        @Override
        public String toString() {
            return key + " = " + value;
        }
    }

    /** A cell under both policies in one variation. */
    private record Task(Post post, Post.Cell cell, Variation variation) {}

    /** What a task found: ns of one of what is counted. */
    private record Pair(double baseline, double candidate) {
        double gain() {
            return baseline / candidate - 1;
        }
    }

    private Validation(DataFile parameters, DataFile remarks) {
        this.parameters = parameters;
        this.remarks = remarks;
    }

    /** {@return the validation of the bundled scenarios with the bundled parameters} */
    public static Validation bundled() {
        return new Validation(
                DataFile.bundled(Validation.class, "validation.parameters"),
                DataFile.bundled(Validation.class, "validation.remarks"));
    }

    /**
     * Simulates all cells.
     *
     * @param threads how many are simulated at a time, at least 1
     * @param progress is told how far it is
     * @return the comparison
     * @throws InterruptedException if the calling thread is interrupted; what still runs is told to end
     * @throws io.farnode.producer.machine.DataException if a bundled file is wrong
     */
    public ValidationReport run(int threads, Progress progress) throws InterruptedException {
        Map<Task, Pair> pairs = simulate(tasks(), threads, progress);
        List<FamilyResult> families = new ArrayList<>();
        Map<Post, List<CellResult>> cells = new LinkedHashMap<>();
        for (Post post : Post.all()) {
            cells.put(post, compare(post, pairs));
        }
        for (Post post : Post.all()) {
            double others = cells.entrySet().stream()
                    .filter(entry -> entry.getKey() != post)
                    .mapToDouble(entry -> mean(entry.getValue()))
                    .average()
                    .orElseThrow();
            DataFile before = post.before();
            families.add(new FamilyResult(
                    post.family().familyName(),
                    before.text("source"),
                    cells.get(post),
                    others,
                    texts(before, "note."),
                    texts(remarks, post.family().familyName() + "."),
                    scenarios(post)));
        }
        return new ValidationReport(families, parameters, machines(), digest());
    }

    private static double mean(List<CellResult> cells) {
        return cells.stream().mapToDouble(CellResult::postedGain).average().orElseThrow();
    }

    private static Map<String, String> texts(DataFile data, String prefix) {
        Map<String, String> texts = new LinkedHashMap<>();
        data.keys().stream()
                .filter(key -> key.startsWith(prefix))
                .forEach(key -> texts.put(key.substring(prefix.length()), data.text(key)));
        return texts;
    }

    private List<Task> tasks() {
        List<Task> tasks = new ArrayList<>();
        for (Post post : Post.all()) {
            for (String key : post.cells()) {
                Post.Cell cell = cell(post, key);
                for (Variation variation : variations(cell.scenario().name())) {
                    tasks.add(new Task(post, cell, variation));
                }
            }
        }
        return tasks;
    }

    private Post.Cell cell(Post post, String key) {
        Scenario scenario = post.scenario(key).withNoise(false);
        Duration span = Duration.ofNanos(parameters.span(scenario.name() + ".duration", SECOND / 100, 60 * SECOND));
        return new Post.Cell(key, scenario.withInterval(span).withDuration(span), parameters);
    }

    /** Seeds first: the values of a cell are means over them. */
    private List<Variation> variations(String scenario) {
        List<Variation> variations = new ArrayList<>();
        for (String seed : parameters.text(scenario + ".seeds").split("\\s+")) {
            variations.add(new Variation("seed", seed));
        }
        String prefix = scenario + SWEEP;
        for (String key : parameters.keys()) {
            if (key.startsWith(prefix)) {
                for (String value : parameters.text(key).split("\\s+")) {
                    variations.add(new Variation(key.substring(prefix.length()), value));
                }
            }
        }
        return variations;
    }

    private static Map<Task, Pair> simulate(List<Task> tasks, int threads, Progress progress)
            throws InterruptedException {
        AtomicInteger done = new AtomicInteger();
        Object telling = new Object();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            Map<Task, Future<Pair>> futures = new LinkedHashMap<>();
            // the longest last in the index come first, so that no thread is left alone with them at the end
            List<Task> order = new ArrayList<>(tasks);
            order.sort(Comparator.comparing(Task::post).reversed());
            for (Task task : order) {
                futures.put(task, pool.submit(() -> {
                    Pair pair = pair(task);
                    synchronized (telling) {
                        progress.update(done.incrementAndGet(), tasks.size());
                    }
                    return pair;
                }));
            }
            Map<Task, Pair> pairs = new LinkedHashMap<>();
            for (Task task : tasks) {
                pairs.put(task, futures.get(task).get());
            }
            return pairs;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    private static Pair pair(Task task) {
        Post.Cell cell = task.cell();
        Scenario scenario =
                cell.scenario().with(task.variation().key(), task.variation().value());
        String column = task.post().counted(cell.key());
        return new Pair(
                task.post().meanNanos(cell, nanos(scenario.withPolicy(scenario.baseline()), column)),
                task.post().meanNanos(cell, nanos(scenario.withPolicy(scenario.candidate()), column)));
    }

    /** Simulated time of one of what is counted, as the workload's own report has it. */
    private static double nanos(Scenario scenario, String column) {
        try (SimulatedRun run = SimulatedRun.of(scenario)) {
            for (Sample sample = run.next(); sample != null; sample = run.next()) {
                for (Column told : sample.getColumns()) {
                    if (sample.getSource().equals("workload")
                            && told.getRawName().equals(column)) {
                        return (sample.getEndNanos() - sample.getStartNanos())
                                / (double) told.getValues().get(0);
                    }
                }
            }
        }
        throw new IllegalStateException(scenario.name() + " tells no " + column);
    }

    private List<CellResult> compare(Post post, Map<Task, Pair> pairs) {
        Set<String> calibrated = Set.of(
                parameters.text(post.family().familyName() + ".calibrated").split("\\s+"));
        DataFile before = post.before();
        DataFile after = post.after();
        List<CellResult> results = new ArrayList<>();
        for (String key : post.cells()) {
            Map<Variation, Pair> own = new LinkedHashMap<>();
            pairs.forEach((task, pair) -> {
                if (task.post() == post && task.cell().key().equals(key)) {
                    own.put(task.variation(), pair);
                }
            });
            results.add(compare(
                    post, cell(post, key), before, after, calibrated.stream().anyMatch(name -> isOf(key, name)), own));
        }
        return results;
    }

    /** Whether a cell's key is a name or begins with its parts. */
    private static boolean isOf(String key, String name) {
        return key.equals(name) || key.startsWith(name + ".") || key.startsWith(name + "-");
    }

    private static CellResult compare(
            Post post,
            Post.Cell cell,
            DataFile before,
            DataFile after,
            boolean calibrated,
            Map<Variation, Pair> pairs) {
        double baseline = 0;
        double candidate = 0;
        int seeds = 0;
        Variation low = null;
        Variation high = null;
        for (Map.Entry<Variation, Pair> entry : pairs.entrySet()) {
            if (entry.getKey().key().equals("seed")) {
                baseline += entry.getValue().baseline();
                candidate += entry.getValue().candidate();
                seeds++;
            }
            double gain = entry.getValue().gain();
            low = low == null || gain < pairs.get(low).gain() ? entry.getKey() : low;
            high = high == null || gain > pairs.get(high).gain() ? entry.getKey() : high;
        }
        Pair mean = new Pair(baseline / seeds, candidate / seeds);
        String key = cell.key();
        boolean less = post.lessIsBetter(key);
        double[] from = rounded(before.text(key));
        double[] to = rounded(after.text(key));
        double gain = gain(less, from[1], to[1]);
        String spreadKey = "spread." + key.replaceAll("\\..*", "");
        double spread = before.has(spreadKey) ? before.number(spreadKey, 0, 1) : 0;
        double doubt = DEVIATIONS * Math.sqrt(2) * spread * (1 + gain);
        return new CellResult(
                key,
                after.origin(key),
                cell.scenario().name(),
                post.unit(key),
                less,
                calibrated,
                from[1],
                to[1],
                post.value(cell, mean.baseline(), mean.baseline()),
                post.value(cell, mean.candidate(), mean.baseline()),
                gain,
                (less ? gain(true, from[0], to[2]) : gain(false, from[2], to[0])) - doubt,
                (less ? gain(true, from[2], to[0]) : gain(false, from[0], to[2])) + doubt,
                mean.gain(),
                pairs.get(low).gain(),
                low.toString(),
                pairs.get(high).gain(),
                high.toString());
    }

    private static double gain(boolean less, double before, double after) {
        return (less ? before / after : after / before) - 1;
    }

    /** The least that is printed so, what is printed, and the most that is printed so. */
    private static double[] rounded(String printed) {
        BigDecimal value = new BigDecimal(printed);
        BigDecimal half = BigDecimal.valueOf(5, value.scale() + 1);
        return new double[] {
            value.subtract(half).doubleValue(),
            value.doubleValue(),
            value.add(half).doubleValue()
        };
    }

    private static Map<String, List<DataFile.Entry>> scenarios(Post post) {
        Map<String, List<DataFile.Entry>> scenarios = new LinkedHashMap<>();
        List<DataFile.Entry> defaults = post.family().defaults().entries();
        for (String name : post.scenarios()) {
            List<DataFile.Entry> entries = Scenario.named(name).settings().entries();
            scenarios.put(
                    name,
                    name.equals(post.family().familyName())
                            ? entries
                            : entries.stream()
                                    .filter(entry -> !defaults.contains(entry))
                                    .toList());
        }
        return scenarios;
    }

    private static List<ValidationReport.MachineNumbers> machines() {
        Set<String> seen = new LinkedHashSet<>();
        List<ValidationReport.MachineNumbers> machines = new ArrayList<>();
        for (Post post : Post.all()) {
            for (String name : post.scenarios()) {
                Scenario scenario = Scenario.named(name);
                if (seen.add(scenario.machine().name())) {
                    machines.add(new ValidationReport.MachineNumbers(
                            scenario.machine().name(),
                            scenario.machine().data().entries().stream()
                                    .filter(entry -> entry.key().matches("(memory-ns|line-ns|bandwidth)\\..*"))
                                    .toList()));
                }
            }
        }
        return machines;
    }

    private String digest() {
        StringBuilder text = new StringBuilder();
        append(text, parameters);
        for (Post post : Post.all()) {
            for (String name : post.scenarios()) {
                append(text, Scenario.named(name).settings());
                append(text, Scenario.named(name).machine().data());
            }
        }
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256")
                            .digest(text.toString().getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static void append(StringBuilder text, DataFile data) {
        data.entries()
                .forEach(entry -> text.append(entry.key())
                        .append(" = ")
                        .append(entry.value())
                        .append('\n'));
    }
}
