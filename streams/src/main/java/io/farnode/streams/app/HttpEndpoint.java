package io.farnode.streams.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** A few read-only pages over HTTP: a page a path, exactly that path, GET and HEAD alone. */
final class HttpEndpoint implements AutoCloseable {
    private static final int THREADS = 2;

    static {
        // without it the JDK's server waits for Nagle's timer: 40 ms a scrape over a kept connection
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final HttpServer server;
    private final ExecutorService executor;

    /** What a page says. */
    record Page(int status, String type, String body) {
        static Page text(int status, String body) {
            return new Page(status, "text/plain; charset=utf-8", body);
        }
    }

    HttpEndpoint(String address, int port) {
        try {
            server = HttpServer.create(new InetSocketAddress(address, port), 0);
        } catch (IOException | IllegalArgumentException e) {
            throw new PipelineException(
                    "cannot listen on " + address + ":" + port + ": " + e.getMessage()
                            + ": choose another port, or 0 for any free one",
                    e);
        }
        executor = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "farnode-http");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(executor);
        server.createContext("/", exchange -> answer(exchange, "/", () -> Page.text(404, "not found\n")));
    }

    void page(String path, Supplier<Page> page) {
        server.createContext(path, exchange -> answer(exchange, path, page));
    }

    void start() {
        server.start();
    }

    URI address() {
        InetSocketAddress bound = server.getAddress();
        String host = bound.getAddress().getHostAddress();
        return URI.create("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + bound.getPort());
    }

    private static void answer(HttpExchange exchange, String path, Supplier<Page> page) throws IOException {
        try (exchange) {
            boolean head = exchange.getRequestMethod().equals("HEAD");
            Page answer;
            if (!head && !exchange.getRequestMethod().equals("GET")) {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                answer = Page.text(405, "only GET and HEAD\n");
            } else if (!path.equals("/") && !exchange.getRequestURI().getPath().equals(path)) {
                answer = Page.text(404, "not found\n");
            } else {
                try {
                    answer = page.get();
                } catch (RuntimeException e) {
                    answer = Page.text(500, "internal error: " + e.getMessage() + "\n");
                }
            }
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", answer.type());
            exchange.sendResponseHeaders(answer.status(), head ? -1 : body.length);
            if (!head) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
