package io.farnode.producer.machine.workload;

import io.farnode.producer.machine.DataException;
import io.farnode.producer.machine.DataFile;
import io.farnode.producer.machine.Machine;
import java.io.IOException;
import java.io.Reader;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * What is simulated: a machine, a load with its parameters, a policy, a seed. Read from a text of
 * {@code key = value # where the value comes from}; each {@code with...} gives a copy with one thing changed. Immutable.
 */
public final class Scenario {
    /** Where simulated time begins unless the user says otherwise. */
    public static final Instant DEFAULT_START = Instant.parse("2026-01-01T00:00:00Z");

    private static final List<String> BUNDLED = Arrays.stream(Family.values())
            .flatMap(family -> family.scenarios().stream())
            .toList();
    private static final String BASE = "base";
    private static final String BASELINE = "baseline";
    private static final String CANDIDATE = "candidate";
    private static final String MACHINE = "machine";
    private static final String REPEATS = "repeats";
    private static final String ARMS = "arms";

    /** Keys that say how often and under which policies; they change nothing that the machine does. */
    private static final Set<String> PLAN = Set.of(REPEATS, ARMS);

    private static final int MAX_REPEATS = 1000;
    private static final long SECOND = 1_000_000_000L;

    private final String name;
    private final DataFile settings;
    private final DataFile plan;
    private final Machine machine;
    private final Instant start;

    private Scenario(String name, DataFile settings, DataFile plan, Machine machine, Instant start) {
        this.name = name;
        this.settings = settings;
        this.plan = plan;
        this.machine = machine;
        this.start = start;
    }

    /** {@return the names of the bundled scenarios} */
    public static List<String> names() {
        return BUNDLED;
    }

    /**
     * A bundled scenario.
     *
     * @param name its name
     * @return the scenario
     * @throws DataException if there is none of that name; the message lists those there are
     */
    public static Scenario named(String name) {
        return of(name, resolve(bundled(name)), Machine::named);
    }

    /**
     * Reads a scenario of the user's. It may begin with {@code base = NAME} of a bundled one and say only what differs.
     *
     * @param name what the messages and the run call it: a file's name
     * @param text the text; read to its end, not closed
     * @return the scenario
     * @throws IOException if it cannot be read
     * @throws DataException if it is no scenario; the message names line, field and value
     */
    public static Scenario read(String name, Reader text) throws IOException {
        return read(name, text, Machine::named);
    }

    /**
     * Reads a scenario of the user's whose machine may be the user's too.
     *
     * @param name what the messages and the run call it: a file's name
     * @param text the text; read to its end, not closed
     * @param machines finds the machine that the scenario's {@code machine} names
     * @return the scenario
     * @throws IOException if it cannot be read
     * @throws DataException if it is no scenario; the message names line, field and value
     */
    public static Scenario read(String name, Reader text, Function<String, Machine> machines) throws IOException {
        return of(name, resolve(DataFile.read(name, text)), machines);
    }

    private static DataFile bundled(String name) {
        if (!BUNDLED.contains(name)) {
            throw new DataException("unknown scenario \"" + name + "\": known are " + String.join(", ", BUNDLED));
        }
        return DataFile.bundled(Scenario.class, name + ".scenario");
    }

    private static DataFile resolve(DataFile data) {
        DataFile whole = data.has(BASE) ? resolve(bundled(data.text(BASE))).overlaid(data) : data;
        DataFile defaults = Family.of(whole).defaults();
        for (String key : data.keys()) {
            requireKnown(data, defaults, key);
        }
        return whole;
    }

    private static void requireKnown(DataFile data, DataFile defaults, String key) {
        if (!key.equals(BASE) && !PLAN.contains(key) && !defaults.has(key)) {
            throw new DataException(where(data, key) + ": unknown parameter \"" + key + "\": known are "
                    + String.join(", ", defaults.keys()));
        }
    }

    private static String where(DataFile data, String key) {
        return data.entries().stream()
                .filter(entry -> entry.key().equals(key) && entry.line() > 0)
                .findFirst()
                .map(entry -> data.name() + ":" + entry.line())
                .orElse(data.name());
    }

    private static Scenario of(String name, DataFile whole, Function<String, Machine> machines) {
        Scenario scenario = new Scenario(
                name,
                whole.only(key -> !PLAN.contains(key)),
                whole.only(PLAN::contains),
                machines.apply(whole.text(MACHINE)),
                DEFAULT_START);
        scenario.check();
        return scenario;
    }

    /** Everything that can be said to be wrong before the machine is built. */
    private void check() {
        Family family = family();
        for (String policy : List.of(policy(), baseline(), candidate())) {
            family.requirePolicy(policy);
        }
        if (duration().compareTo(interval()) < 0) {
            throw settings.wrong("duration", "at least one interval of " + settings.text("interval"));
        }
        SimulatedRun.warmUp(settings);
        repeats();
        arms().forEach(this::inArm);
        workload();
    }

    /** {@return the machine, switched on to do this} */
    Workload workload() {
        return family().workload(machine, policy(), settings);
    }

    /**
     * A copy with one parameter changed.
     *
     * @param key the parameter, as in the scenario's text
     * @param value its value, as it would stand there
     * @return the copy
     * @throws DataException if there is no such parameter, or its value cannot be
     */
    public Scenario with(String key, String value) {
        return with(Map.of(key, value));
    }

    /**
     * A copy with several parameters changed at once. What they make together must fit; what one of them would make
     * without the others need not.
     *
     * @param changes values by parameter
     * @return the copy
     * @throws DataException if there is no such parameter, or its value cannot be
     */
    public Scenario with(Map<String, String> changes) {
        String other = changes.get(MACHINE);
        return changed(other == null ? machine : Machine.named(other), changes);
    }

    /**
     * A copy on another machine.
     *
     * @param other the machine
     * @return the copy
     * @throws DataException if the load does not fit the machine
     */
    public Scenario withMachine(Machine other) {
        return withMachine(other, Map.of());
    }

    /**
     * A copy on another machine with what must be changed to fit it.
     *
     * @param other the machine
     * @param changes values by parameter
     * @return the copy
     * @throws DataException if there is no such parameter, its value cannot be, or the load does not fit the machine
     */
    public Scenario withMachine(Machine other, Map<String, String> changes) {
        Map<String, String> all = new LinkedHashMap<>(changes);
        all.put(MACHINE, other.name());
        return changed(other, all);
    }

    private Scenario changed(Machine other, Map<String, String> changes) {
        DataFile defaults = family().defaults();
        DataFile changedSettings = settings;
        DataFile changedPlan = plan;
        for (Map.Entry<String, String> change : changes.entrySet()) {
            String key = change.getKey();
            requireKnown(settings, defaults, key);
            if (PLAN.contains(key)) {
                changedPlan = changedPlan.with(key, change.getValue());
            } else {
                changedSettings = changedSettings.with(key, change.getValue());
            }
        }
        Scenario copy = new Scenario(name, changedSettings, changedPlan, other, start);
        copy.check();
        return copy;
    }

    /**
     * A copy under another policy.
     *
     * @param policy its name
     * @return the copy
     * @throws DataException if there is none of that name; the message lists those there are
     */
    public Scenario withPolicy(String policy) {
        return with("policy", policy);
    }

    /**
     * A copy with another seed.
     *
     * @param seed the seed
     * @return the copy
     */
    public Scenario withSeed(long seed) {
        return with("seed", Long.toString(seed));
    }

    /**
     * A copy that runs for another time.
     *
     * @param duration simulated time, at least one interval
     * @return the copy
     */
    public Scenario withDuration(Duration duration) {
        return with("duration", duration.toNanos() + "ns");
    }

    /**
     * A copy that tells at other intervals.
     *
     * @param interval simulated time from sample to sample, 10 ms or more
     * @return the copy
     */
    public Scenario withInterval(Duration interval) {
        return with("interval", interval.toNanos() + "ns");
    }

    /**
     * A copy with or without noise.
     *
     * @param noise whether costs and service times wander
     * @return the copy
     */
    public Scenario withNoise(boolean noise) {
        return with("noise", noise ? "on" : "off");
    }

    /**
     * A copy that begins at another moment of event time.
     *
     * @param moment the start of the first interval
     * @return the copy
     */
    public Scenario startingAt(Instant moment) {
        return new Scenario(name, settings, plan, machine, moment);
    }

    /** {@return whether its text says that it is an experiment: {@code repeats} or {@code arms} stand there} */
    public boolean isExperiment() {
        return plan.has(REPEATS) || plan.has(ARMS);
    }

    /** {@return how often each arm of the experiment runs; 1 if its text does not say} */
    public int repeats() {
        return plan.has(REPEATS) ? (int) plan.whole(REPEATS, 1, MAX_REPEATS) : 1;
    }

    /**
     * {@return the arms of the experiment: {@code baseline}, {@code candidate}, or names of other policies; the first two
     * if its text does not say}
     *
     * @throws DataException if the text names one twice, or has no baseline, or nothing but the baseline
     */
    public List<String> arms() {
        if (!plan.has(ARMS)) {
            return List.of(BASELINE, CANDIDATE);
        }
        List<String> arms = List.of(plan.text(ARMS).split("\\s+"));
        if (!arms.contains(BASELINE)
                || arms.size() < 2
                || arms.stream().distinct().count() < arms.size()) {
            throw plan.wrong(ARMS, "baseline and at least one other, each once");
        }
        return arms;
    }

    /**
     * A copy under the policy of an arm.
     *
     * @param arm the arm, as in {@link #arms}
     * @return the copy
     * @throws DataException if there is no such arm
     */
    public Scenario inArm(String arm) {
        String of = switch (arm) {
            case BASELINE -> baseline();
            case CANDIDATE -> candidate();
            default -> arm;
        };
        if (!policies().contains(of)) {
            throw new DataException(where(plan, ARMS) + ": arm \"" + arm
                    + "\": must be baseline, candidate or a policy: " + String.join(", ", policies()));
        }
        return new Scenario(name, settings.with("policy", of), plan, machine, start);
    }

    /** {@return its name} */
    public String name() {
        return name;
    }

    /** {@return one line on what it shows} */
    public String summary() {
        return settings.text("summary");
    }

    /** {@return the family it belongs to} */
    public Family family() {
        return Family.of(settings);
    }

    /** {@return the machine} */
    public Machine machine() {
        return machine;
    }

    /** {@return the policy's name} */
    public String policy() {
        return settings.text("policy");
    }

    /** {@return name of the policy that is compared against} */
    public String baseline() {
        return settings.text(BASELINE);
    }

    /** {@return name of the policy whose effect is asked for} */
    public String candidate() {
        return settings.text(CANDIDATE);
    }

    /** {@return the names of all policies that fit} */
    public List<String> policies() {
        return family().policies();
    }

    /** {@return the seed} */
    public long seed() {
        return settings.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** {@return simulated time} */
    public Duration duration() {
        return Duration.ofNanos(settings.span("duration", 10_000_000L, 24 * 3600 * SECOND));
    }

    /** {@return simulated time from sample to sample} */
    public Duration interval() {
        return Duration.ofNanos(settings.span("interval", 10_000_000L, 3600 * SECOND));
    }

    /** {@return event time of the start} */
    public Instant start() {
        return start;
    }

    /** {@return all parameters with their origin} */
    public DataFile settings() {
        return settings;
    }
}
