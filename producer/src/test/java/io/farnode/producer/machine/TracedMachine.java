package io.farnode.producer.machine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The machine with 32 CPUs whose kernel was traced, and its files. */
final class TracedMachine {
    private static final String FOLDER = "arm64-virt-32cpu-4node/";

    private TracedMachine() {}

    static Machine machine() {
        try (InputStream bytes = TracedMachine.class.getResourceAsStream(FOLDER + "virt.machine")) {
            return Machine.read(
                    "virt.machine", new InputStreamReader(Objects.requireNonNull(bytes), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> lines(String file) {
        try (InputStream bytes = TracedMachine.class.getResourceAsStream(FOLDER + file);
                BufferedReader reader = new BufferedReader(
                        new InputStreamReader(Objects.requireNonNull(bytes), StandardCharsets.UTF_8))) {
            return reader.lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
