package io.farnode.grafana;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.cli.FarnodeProcess;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as a person starts it, watched by a real Prometheus. */
class DemoIT {
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration SHOW = Duration.ofMinutes(2);

    @TempDir
    private Path directory;

    @Test
    void shouldShowBothPoliciesToPrometheusAndEndOnSigterm() throws Exception {
        PrometheusServer.require("prometheus");
        PrometheusServer.require("promtool");
        try (FarnodeProcess demo = FarnodeProcess.start("demo", "--duration", "40s", "--http-port", "0")) {
            URI metrics = URI.create(demo.awaitLine("metrics at (\\S+)", START).group(1));
            try (PrometheusServer prometheus = PrometheusServer.start(directory, metrics.getAuthority())) {
                demo.awaitLine("verdict:", SHOW);
                demo.awaitLine("IMPROVED +interrupts.imbalance fell from .* improved\\.", Duration.ofSeconds(10));
                demo.awaitLine("Ctrl-C ends", Duration.ofSeconds(10));
                Thread.sleep(2_500); // two scrapes

                assertThat(prometheus.query("up{job=\"farnode\"}").values()).containsExactly(1.0);
                assertThat(prometheus
                                .query("count by (__name__) ({__name__=~\"numa_.+\"})")
                                .keySet())
                        .anyMatch(name -> name.contains("numa_window_interrupts_per_second"))
                        .anyMatch(name -> name.contains("numa_window_throughput_operations_per_second"))
                        .anyMatch(name -> name.contains("numa_run_info"));
                assertThat(prometheus.query("{__name__=~\"numa_.+\"}"))
                        .hasSizeGreaterThan(20)
                        .allSatisfy(
                                (series, value) -> assertThat(value).as(series).isFinite());
                Map<String, Double> imbalance = prometheus.query("numa_window_interrupt_imbalance_ratio{node=\"all\"}");
                assertThat(imbalance).hasSize(2);
                assertThat(imbalance.keySet())
                        .anyMatch(labels -> labels.contains("policy=first-cpu"))
                        .anyMatch(labels -> labels.contains("policy=least-loaded"));
                assertThat(imbalance.values()).allMatch(value -> value >= 1 && value <= 16);
                // while it ran, not only at its end
                assertThat(prometheus.query("count_over_time(numa_window_end_timestamp_seconds[5m]) > 5"))
                        .isNotEmpty();
            }
            checkMetrics(get(metrics));
            assertThat(get(metrics.resolve("/healthz"))).isEqualTo("ok\n");
            assertThat(get(metrics.resolve("/readyz"))).isEqualTo("ready\n");

            demo.terminate();
            assertThat(demo.exitCode(Duration.ofSeconds(20))).isEqualTo(143);
            assertThat(demo.err()).isEmpty();
        }
    }

    @Test
    void shouldEndByItselfWhenAsked() {
        try (FarnodeProcess demo =
                FarnodeProcess.start("demo", "--exit", "--duration", "10s", "--speed", "max", "--http-port", "0")) {
            assertThat(demo.exitCode(SHOW)).as(demo.err().toString()).isZero();
            assertThat(demo.out())
                    .contains("verdict:")
                    .anyMatch(line -> line.startsWith("window 10: interrupts.imbalance "));
            assertThat(demo.err()).isEmpty();
        }
    }

    /** promtool looks for missing help, bad names and units. */
    private static void checkMetrics(String page) throws Exception {
        try (FarnodeProcess promtool =
                FarnodeProcess.run(Map.of(), Path.of("promtool"), FarnodeProcess.root(), "check", "metrics")) {
            try (OutputStream in = promtool.in()) {
                in.write(page.getBytes(StandardCharsets.UTF_8));
            }
            int code = promtool.exitCode(Duration.ofSeconds(30));
            assertThat(promtool.err().stream().filter(line -> line.startsWith("numa_")))
                    .isEmpty();
            assertThat(promtool.err()).as("exit code %d", code).noneMatch(line -> line.contains("error while linting"));
        }
    }

    private static String get(URI uri) throws Exception {
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(uri)
                                .timeout(Duration.ofSeconds(10))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(uri + ": " + response.body()).isEqualTo(200);
        return response.body();
    }
}
