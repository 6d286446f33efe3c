package io.farnode.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.cli.FarnodeProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replay that does not reach its end says so in one line, and the same command completes it. */
class BrokenOffIT {
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration END = Duration.ofSeconds(30);
    private static final int ROWS = 100;

    @TempDir
    private Path directory;

    @Test
    void shouldSayThatTheBrokerIsGone() throws Exception {
        Path data = directory.resolve("data");
        String address;
        try (FarnodeProcess broker = FarnodeProcess.start("broker", "--data-dir", data.toString())) {
            address = broker.awaitLine("Kafka broker at (\\S+)", START).group(1);
            try (FarnodeProcess replay = replay("1", "--bootstrap-server", address, "--window", "2s")) {
                await(() -> !replay.err().isEmpty());
                assertThat(replay.err())
                        .containsExactly("farnode: note: --window has no effect here: the windows are computed by the"
                                + " farnode streams at " + address + ", with its own options");
                // some records are through by then
                Thread.sleep(3_000);
                broker.kill();
                long killed = System.nanoTime();
                assertThat(replay.exitCode(Duration.ofSeconds(60))).isEqualTo(1);
                assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(Duration.ofSeconds(25));
                assertThat(replay.err().subList(1, replay.err().size()))
                        .containsExactly("farnode: no Kafka broker answers at " + address
                                + " any more; the same command completes the run");
            }
        }
        complete(data);
    }

    @Test
    void shouldSayThatItWasBrokenOff() throws Exception {
        Path data = directory.resolve("data");
        try (FarnodeProcess replay = replay("1", "--data-dir", data.toString())) {
            await(() -> Files.exists(data.resolve("address")));
            Thread.sleep(5_000);
            replay.terminate();
            assertThat(replay.exitCode(END)).isEqualTo(143);
            assertThat(replay.err()).containsExactly("farnode: broken off; the same command completes the run");
        }
        complete(data);
    }

    private void complete(Path data) throws IOException {
        try (FarnodeProcess again = replay("max", "--data-dir", data.toString())) {
            assertThat(again.exitCode(START)).isZero();
            assertThat(again.err()).allMatch(line -> line.startsWith("farnode: note: "));
            assertThat(again.out())
                    .anySatisfy(line -> assertThat(line)
                            .matches("windows: " + (ROWS - 1)
                                    + " closed, 0 of them incomplete; late 0, duplicate \\d+, missing 0"));
        }
    }

    private FarnodeProcess replay(String speed, String... more) throws IOException {
        StringBuilder text = new StringBuilder(BadInputTest.HEADER);
        for (int i = 0; i < ROWS; i++) {
            text.append(" 1  0      0 ")
                    .append(1000 + i)
                    .append(" 200 300    0    0     5     6   ")
                    .append(100 + i)
                    .append("  60  1  2 97  0  0\n");
        }
        Path file = Files.writeString(directory.resolve("capture.txt"), text);
        List<String> args = new ArrayList<>(List.of("replay", file.toString(), "--run", "x", "--interval", "1s"));
        args.addAll(List.of("--start", "2026-03-02T09:00:00Z", "--speed", speed));
        args.addAll(List.of(more));
        return FarnodeProcess.start(args.toArray(String[]::new));
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + START.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.sleep(50);
        }
    }
}
