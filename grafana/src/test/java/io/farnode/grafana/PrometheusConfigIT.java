package io.farnode.grafana;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.cli.FarnodeProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PrometheusConfigIT {
    @Test
    void shouldHaveAScrapeConfigurationThatPrometheusTakes() {
        PrometheusServer.require("promtool");
        try (FarnodeProcess promtool = FarnodeProcess.run(
                Map.of(),
                Path.of("promtool"),
                FarnodeProcess.root().resolve("grafana"),
                "check",
                "config",
                "prometheus/prometheus.yml")) {
            assertThat(promtool.exitCode(Duration.ofSeconds(30)))
                    .as(promtool.err().toString())
                    .isZero();
        }
    }
}
