package io.farnode.producer.machine.validation;

import io.farnode.producer.machine.DataFile;
import io.farnode.producer.machine.workload.Family;
import io.farnode.producer.machine.workload.Scenario;
import java.util.Arrays;
import java.util.List;

/**
 * The index of the posts, one a family: which scenario stands for a cell, and what the simulated run makes of it in the
 * post's unit. The cells are in {@code FAMILY.before} and {@code FAMILY.after} beside the scenarios. To add one, add a line
 * here and the two files.
 */
enum Post {
    /** Cells are named by kind of interrupt. */
    LPI_BALANCE(Family.LPI_BALANCE) {
        @Override
        Scenario scenario(String cell) {
            return Scenario.named("lpi-balance").with("threaded", cell.equals("threaded") ? "on" : "off");
        }

        @Override
        String unit(String cell) {
            return "K IO/s";
        }

        @Override
        double value(Cell cell, double nanos, double baselineNanos) {
            return 1e6 / nanos;
        }
    },

    /** Cells are two ways to tell of the same runs. */
    ITS_TABLES(Family.ITS_TABLES) {
        private static final double KIB = 1024;

        @Override
        Scenario scenario(String cell) {
            return Scenario.named("its-tables");
        }

        @Override
        String unit(String cell) {
            return lessIsBetter(cell) ? "us" : "KB/s";
        }

        @Override
        boolean lessIsBetter(String cell) {
            return cell.equals("request-time");
        }

        @Override
        String counted(String cell) {
            return lessIsBetter(cell) ? OPERATIONS : "transferred";
        }

        @Override
        double value(Cell cell, double nanos, double baselineNanos) {
            return lessIsBetter(cell.key()) ? nanos / 1e3 : 1e9 / (nanos * KIB);
        }
    },

    /** Cells are named mode-direction-bits.bytes. The post has one submitter, the machine one for each device. */
    DMA_PLACEMENT(Family.DMA_PLACEMENT) {
        @Override
        Scenario scenario(String cell) {
            String[] parts = cell.split("[-.]");
            return Scenario.named("dma-placement")
                    .with("mode", parts[0])
                    .with("direction", parts[1])
                    .with("key-bits", parts[2])
                    .with("block-bytes", parts[3]);
        }

        @Override
        String unit(String cell) {
            return "op/s";
        }

        @Override
        double value(Cell cell, double nanos, double baselineNanos) {
            int devices = cell.scenario().settings().text("device-nodes").split("\\s+").length;
            return 1e9 / (nanos * devices);
        }
    },

    /** Cells are named place.load. */
    PAGE_POOL(Family.PAGE_POOL) {
        @Override
        Scenario scenario(String cell) {
            String load = cell.substring(cell.indexOf('.') + 1);
            String name = switch (load) {
                case "xdp-drop" -> "page-pool";
                case "xdp-tx" -> "page-pool-tx";
                default -> "page-pool-" + load;
            };
            return Scenario.named(name).with("migrate-at", cell.startsWith("close.") ? "never" : "start");
        }

        @Override
        String unit(String cell) {
            return cell.contains(".tcp") ? "Gb/s" : "Mpps";
        }

        @Override
        double value(Cell cell, double nanos, double baselineNanos) {
            return cell.key().contains(".tcp")
                    ? cell.scenario().settings().whole("packet-bytes", 1, 1 << 16) * Byte.SIZE / nanos
                    : 1e3 / nanos;
        }
    },

    /**
     * Cells are named test.THREADS or machine.test. locktorture's long delays are rare and last longer than a cell is
     * simulated, so they are left out there, and their mean is added.
     */
    SPINLOCK(Family.SPINLOCK) {
        private static final String TORTURE = "torture";

        @Override
        Scenario scenario(String cell) {
            String[] parts = cell.split("\\.");
            return switch (parts[0]) {
                case TORTURE ->
                    Scenario.named("spinlock").with("threads", parts[1]).with(LONG_DELAY, "0ns");
                case "thunderx2" -> Scenario.named("spinlock-open-storm").with("threads", parts[1]);
                default -> Scenario.named(parts[1].equals("nginx") ? "spinlock-nginx" : "spinlock-open-storm-kunpeng");
            };
        }

        @Override
        double meanNanos(Cell cell, double nanos) {
            if (!cell.key().startsWith(TORTURE)) {
                return nanos;
            }
            DataFile defaults = Scenario.named("spinlock").settings();
            double delay = defaults.span(LONG_DELAY, 0, 1_000_000_000L);
            double every = defaults.number("long-delay-every", 1, 1e12);
            return nanos + delay / (every * threads(cell));
        }

        private static long threads(Cell cell) {
            return cell.scenario().settings().whole("threads", 1, 1 << 16);
        }

        @Override
        String unit(String cell) {
            if (cell.startsWith(TORTURE)) {
                return "10^7";
            }
            return lessIsBetter(cell) ? "s" : "times";
        }

        @Override
        boolean lessIsBetter(String cell) {
            return cell.startsWith("thunderx2");
        }

        @Override
        double value(Cell cell, double nanos, double baselineNanos) {
            if (cell.key().startsWith(TORTURE)) {
                return cell.parameters().span("spinlock.torture-time", 1, 3_600_000_000_000L) / nanos / 1e7;
            }
            if (lessIsBetter(cell.key())) {
                double opens = cell.parameters().number("spinlock-open-storm.storm-opens", 1, 1e12);
                return threads(cell) * opens * nanos / 1e9;
            }
            return baselineNanos / nanos;
        }
    };

    /** Column of a run's own report that most posts are about. */
    static final String OPERATIONS = "operations";

    private static final String LONG_DELAY = "long-delay";
    private static final List<String> NO_CELLS = List.of("source", "unit", "note.", "spread.");

    private final Family family;

    Post(Family family) {
        this.family = family;
    }

    /**
     * The scenario of a cell, noise as there.
     *
     * @param cell the cell's key
     * @return the scenario
     */
    abstract Scenario scenario(String cell);

    /**
     * {@return the post's unit}
     *
     * @param cell the cell's key
     */
    abstract String unit(String cell);

    /**
     * What the post would print.
     *
     * @param cell the cell
     * @param nanos simulated time of one of what is counted, ns
     * @param baselineNanos the same under the baseline
     * @return the value in the post's unit
     */
    abstract double value(Cell cell, double nanos, double baselineNanos);

    /**
     * {@return whether a smaller value is the better one}
     *
     * @param cell the cell's key
     */
    boolean lessIsBetter(String cell) {
        return false;
    }

    /**
     * {@return which column of the run's own report is counted}
     *
     * @param cell the cell's key
     */
    String counted(String cell) {
        return OPERATIONS;
    }

    /**
     * Adds what the simulated span is too short for.
     *
     * @param cell the cell
     * @param nanos simulated time of one of what is counted, ns
     * @return its mean over a long time, ns
     */
    double meanNanos(Cell cell, double nanos) {
        return nanos;
    }

    /** {@return the family} */
    Family family() {
        return family;
    }

    /** {@return what was posted before the series, with the notes on it} */
    DataFile before() {
        return DataFile.bundled(Family.class, family.familyName() + ".before");
    }

    /** {@return what was posted with the series; nothing but a comparison may read it} */
    DataFile after() {
        return DataFile.bundled(Family.class, family.familyName() + ".after");
    }

    /** {@return the cells of this post, in its order} */
    List<String> cells() {
        return before().keys().stream()
                .filter(key -> NO_CELLS.stream().noneMatch(key::startsWith))
                .toList();
    }

    /** {@return the scenarios that its cells are simulated with} */
    List<String> scenarios() {
        return cells().stream().map(cell -> scenario(cell).name()).distinct().toList();
    }

    /** {@return the posts in the order of the report} */
    static List<Post> all() {
        return Arrays.asList(values());
    }

    /**
     * A cell to be simulated.
     *
     * @param key its key
     * @param scenario what stands for it
     * @param parameters the validation's parameters
     */
    record Cell(String key, Scenario scenario, DataFile parameters) {}
}
