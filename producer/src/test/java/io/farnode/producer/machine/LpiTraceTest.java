package io.farnode.producer.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.producer.machine.policy.LpiBalance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a real 6.1 kernel chose, step by step, against the routing with the merged rule. */
class LpiTraceTest {
    private static final long IRQD_AFFINITY_MANAGED = 1L << 21;
    private static final Pattern ACTIVATE = Pattern.compile(".*: activate: .* irq=(\\d+) .*state=0x([0-9a-f]+)");
    private static final Pattern SET_AFFINITY = Pattern.compile(".*: set_affinity: .* irq=(\\d+) .*");
    private static final Pattern SELECT = Pattern.compile(".*: select: .* irq=(\\d+) mask=0x([0-9a-f]+)");
    private static final Pattern CHOSEN = Pattern.compile(".*: select_ret: .* cpu=(\\d+)");
    private static final Pattern DEACTIVATE = Pattern.compile(".*: deactivate: .* irq=(\\d+)");

    @Test
    void shouldChooseAsTheTracedKernelDidInEveryStep() {
        Recorder recorder = new Recorder();
        LpiRouting routing = new LpiRouting(TracedMachine.machine(), recorder);
        Map<Integer, Lpi> byIrq = new HashMap<>();
        List<String> expected = new ArrayList<>();
        int pending = -1;
        boolean activating = false;
        CpuSet mask = CpuSet.EMPTY;
        for (String line : TracedMachine.lines("lpi-trace.txt")) {
            Matcher matcher = ACTIVATE.matcher(line);
            if (matcher.matches()) {
                pending = Integer.parseInt(matcher.group(1));
                activating = true;
                boolean managed = (Long.parseLong(matcher.group(2), 16) & IRQD_AFFINITY_MANAGED) != 0;
                String name = "irq" + pending;
                byIrq.put(
                        pending,
                        managed
                                ? routing.allocateManaged(name, 0, CpuSet.EMPTY)
                                : routing.allocateUnmanaged(name, 0, -1));
                continue;
            }
            matcher = SET_AFFINITY.matcher(line);
            if (matcher.matches()) {
                pending = Integer.parseInt(matcher.group(1));
                activating = false;
                continue;
            }
            matcher = SELECT.matcher(line);
            if (matcher.matches()) {
                assertThat(Integer.parseInt(matcher.group(1))).isEqualTo(pending);
                mask = ofBits(Long.parseLong(matcher.group(2), 16));
                continue;
            }
            matcher = CHOSEN.matcher(line);
            if (matcher.matches()) {
                Lpi lpi = byIrq.get(pending);
                if (activating) {
                    routing.activate(lpi);
                } else {
                    routing.setAffinity(lpi, mask);
                }
                expected.add(matcher.group(1));
                assertThat(lpi.target())
                        .as("choice %d: %s", expected.size(), line.strip())
                        .isEqualTo(Integer.parseInt(matcher.group(1)));
                continue;
            }
            matcher = DEACTIVATE.matcher(line);
            if (matcher.matches()) {
                routing.free(byIrq.remove(Integer.parseInt(matcher.group(1))));
            }
        }
        assertThat(expected).hasSize(116);
        assertThat(recorder.choices).hasSize(116).isEqualTo(replayedByHand());
    }

    /** Kind, searched CPUs and the counts on them before each of the choices, as worked out from the trace. */
    private static List<String> replayedByHand() {
        return TracedMachine.lines("lpi-replay.txt").stream()
                .filter(line -> !line.startsWith("#") && !line.startsWith("time|"))
                .map(line -> line.split("\\|"))
                .filter(fields -> !fields[1].equals("deactivate"))
                .map(fields -> fields[3] + "|" + fields[6] + "|" + fields[5])
                .toList();
    }

    private static CpuSet ofBits(long bits) {
        CpuSet set = CpuSet.EMPTY;
        for (int cpu = 0; cpu < Long.SIZE; cpu++) {
            if ((bits >>> cpu & 1) != 0) {
                set = set.with(cpu);
            }
        }
        return set;
    }

    /** The merged rule, with what it saw. */
    private static final class Recorder implements LpiTargetRule {
        private final List<String> choices = new ArrayList<>();

        @Override
        public int onActivate(Choice choice) {
            note(choice);
            return LpiBalance.LEAST_LOADED.onActivate(choice);
        }

        @Override
        public int onSetAffinity(Choice choice) {
            note(choice);
            return LpiBalance.LEAST_LOADED.onSetAffinity(choice);
        }

        private void note(Choice choice) {
            CpuSet search = choice.mask().and(choice.online());
            StringBuilder counts = new StringBuilder();
            search.stream()
                    .forEach(cpu -> counts.append(counts.length() > 0 ? " " : "")
                            .append(choice.count().applyAsInt(cpu)));
            choices.add((choice.managed() ? "managed" : "unmanaged") + "|" + search + "|" + counts);
        }
    }
}
