package io.farnode.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.cli.broker.DataDirectory;
import io.farnode.cli.cluster.Cluster;
import io.farnode.contract.SchemaCatalog;
import io.farnode.contract.Topics;
import io.farnode.streams.app.Results;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes in the telemetry log that are no record of farnode's go to the dead letters; the stream goes on. */
class DeadLetterIT {
    @TempDir
    private Path directory;

    @Test
    void shouldSetAsideWhatIsNotAvroAndGoOn() throws Exception {
        Path capture = Files.writeString(
                directory.resolve("capture.txt"),
                BadInputTest.HEADER
                        + " 1  0      0 100 200 300    0    0     5     6   50  60  1  2 97  0  0\n"
                        + " 1  0      0 100 200 300    0    0     5     6   70  60  1  2 97  0  0\n");
        Path data = directory.resolve("data");
        assertThat(CommandLineRun.of("topics", "create", "--data-dir", data.toString())
                        .code())
                .isZero();
        byte[] noise = "not Avro at all".getBytes(StandardCharsets.UTF_8);
        try (Cluster cluster = Cluster.own(DataDirectory.open(data), 0, line -> {
            throw new AssertionError(line);
        })) {
            try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                    cluster.clientProperties(), new ByteArraySerializer(), new ByteArraySerializer())) {
                producer.send(new ProducerRecord<>(
                                Topics.TELEMETRY.topicName(), "x".getBytes(StandardCharsets.UTF_8), noise))
                        .get();
            }
        }

        CommandLineRun replay = CommandLineRun.of(
                "replay",
                capture.toString(),
                "--run",
                "x",
                "--start",
                "2026-03-02T09:00:00Z",
                "--interval",
                "1s",
                "--data-dir",
                data.toString());

        assertThat(replay.err()).allMatch(line -> line.startsWith("farnode: note: "));
        assertThat(replay.code()).isZero();
        assertThat(replay.out()).contains("windows: 1 closed, 0 of them incomplete; late 0, duplicate 0, missing 0");
        try (Cluster cluster = Cluster.own(DataDirectory.open(data), 0, line -> {
            throw new AssertionError(line);
        })) {
            List<Results.DeadLetter> letters =
                    new Results(cluster.clientProperties(), new SchemaCatalog()).deadLetters();
            assertThat(letters).singleElement().satisfies(letter -> {
                assertThat(letter.bytes()).isEqualTo(noise);
                assertThat(letter.topic()).isEqualTo(Topics.TELEMETRY.topicName());
                assertThat(letter.reason())
                        .isEqualTo(
                                "not an Avro single-object record: 15 bytes that do not begin with c3 01 and a schema"
                                        + " fingerprint");
            });
        }
    }
}
