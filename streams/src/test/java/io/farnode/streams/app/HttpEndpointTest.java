package io.farnode.streams.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpEndpointTest {
    private final HttpEndpoint endpoint = new HttpEndpoint("127.0.0.1", 0);

    @BeforeEach
    void start() {
        endpoint.page("/ok", () -> HttpEndpoint.Page.text(200, "fine\n"));
        endpoint.page("/broken", () -> {
            throw new IllegalStateException("no luck");
        });
        endpoint.start();
    }

    @AfterEach
    void close() {
        endpoint.close();
    }

    @Test
    void shouldServeExactPathsOnly() throws Exception {
        assertThat(get("/ok").statusCode()).isEqualTo(200);
        assertThat(get("/ok").body()).isEqualTo("fine\n");
        assertThat(get("/ok").headers().firstValue("Content-Type")).contains("text/plain; charset=utf-8");
        assertThat(get("/okay").statusCode()).isEqualTo(404);
        assertThat(get("/ok/x").statusCode()).isEqualTo(404);
        assertThat(get("/").statusCode()).isEqualTo(404);
    }

    @Test
    void shouldAnswerWhenAPageFails() throws Exception {
        assertThat(get("/broken").statusCode()).isEqualTo(500);
        assertThat(get("/broken").body()).isEqualTo("internal error: no luck\n");
        assertThat(get("/ok").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldAllowReadingOnly() throws Exception {
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(endpoint.address().resolve("/ok"))
                                .POST(HttpRequest.BodyPublishers.ofString("x"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("Allow")).contains("GET, HEAD");
    }

    @Test
    void shouldSayThatAPortIsTaken() {
        int port = endpoint.address().getPort();
        assertThatThrownBy(() -> new HttpEndpoint("127.0.0.1", port))
                .isInstanceOf(PipelineException.class)
                .hasMessage("cannot listen on 127.0.0.1:" + port
                        + ": Address already in use: choose another port, or 0 for any free one");
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        URI uri = endpoint.address().resolve(path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
}
