package io.farnode.grafana;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.farnode.cli.FarnodeProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;

/** A real Prometheus server, as Debian has it, that scrapes one address each second. */
final class PrometheusServer implements AutoCloseable {
    private final FarnodeProcess process;
    private final String address;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private PrometheusServer(FarnodeProcess process, String address) {
        this.process = process;
        this.address = address;
    }

    /**
     * Skips the calling test where a tool is missing, and fails it in CI.
     *
     * @param tool name of a program of Debian's package prometheus
     */
    static void require(String tool) {
        for (String directory : System.getenv("PATH").split(":")) {
            if (Files.isExecutable(Path.of(directory, tool))) {
                return;
            }
        }
        String line = tool + " is not installed; to run this test: apt-get install -y prometheus";
        if (Boolean.getBoolean("farnode.ci")) {
            throw new AssertionError(line);
        }
        // Surefire does not print why a test was skipped
        System.out.println("skipped: " + line);
        Assumptions.abort(line);
    }

    /**
     * Starts a server with the project's scrape configuration.
     *
     * @param directory where it keeps its data
     * @param target what it scrapes, {@code host:port}
     * @return the server, ready
     */
    static PrometheusServer start(Path directory, String target) throws IOException, InterruptedException {
        String config = Files.readString(FarnodeProcess.root().resolve("grafana/prometheus/prometheus.yml"));
        Path file = Files.writeString(
                directory.resolve("prometheus.yml"), config.replaceAll("127\\.0\\.0\\.1:\\d+", target));
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        String address = "127.0.0.1:" + port;
        FarnodeProcess process = FarnodeProcess.run(
                Map.of(),
                Path.of("prometheus"),
                directory,
                "--config.file=" + file,
                "--storage.tsdb.path=" + directory.resolve("tsdb"),
                "--web.listen-address=" + address);
        PrometheusServer server = new PrometheusServer(process, address);
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!server.isReady()) {
            if (!process.isAlive() || System.nanoTime() > end) {
                String said = process.err().toString();
                server.close();
                throw new AssertionError("prometheus did not start: " + said);
            }
            Thread.sleep(100);
        }
        return server;
    }

    /**
     * Asks for the present value of an expression.
     *
     * @param expression PromQL
     * @return one value for each series, by its labels as text
     */
    Map<String, Double> query(String expression) throws IOException, InterruptedException {
        HttpResponse<String> response =
                get("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
        if (response.statusCode() != 200) {
            throw new AssertionError(expression + ": " + response.body());
        }
        Map<String, Double> values = new TreeMap<>();
        Map<String, String> labels = new TreeMap<>();
        try (JsonParser json = new JsonFactory().createParser(response.body())) {
            String in = "";
            while (json.nextToken() != null) {
                JsonToken token = json.currentToken();
                if (token == JsonToken.FIELD_NAME && List.of("metric", "value").contains(json.currentName())) {
                    in = json.currentName();
                } else if (in.equals("metric") && token == JsonToken.VALUE_STRING) {
                    labels.put(json.currentName(), json.getText());
                } else if (in.equals("value") && token == JsonToken.VALUE_STRING) {
                    values.put(labels.toString(), Double.valueOf(json.getText()));
                    labels.clear();
                    in = "";
                }
            }
        }
        return values;
    }

    @Override
    public void close() {
        process.terminate();
        process.close();
    }

    private boolean isReady() throws InterruptedException {
        try {
            return get("/-/ready").statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://" + address + path))
                        .timeout(Duration.ofSeconds(5))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
