package io.farnode.cli.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
    @TempDir
    private Path temporary;

    @Test
    void shouldBelongToOneAtATime() {
        DataDirectory first = DataDirectory.open(temporary.resolve("a/b"));
        try (DataDirectory second = DataDirectory.open(temporary.resolve("a/b"))) {
            assertThat(first.own()).isTrue();
            assertThat(first.own()).isTrue();
            assertThat(second.own()).isFalse();
            first.close();
            assertThat(second.own()).isTrue();
        }
    }

    @Test
    void shouldTellOthersWhereTheBrokerAnswers() {
        DataDirectory owner = DataDirectory.open(temporary);
        try (DataDirectory other = DataDirectory.open(temporary)) {
            owner.own();
            assertThat(other.live()).isEmpty();
            owner.announce("127.0.0.1:4711", true);
            long pid = ProcessHandle.current().pid();
            assertThat(other.live()).contains(new DataDirectory.LiveBroker("127.0.0.1:4711", pid, true));
            owner.announce("127.0.0.1:4712", false);
            assertThat(other.live()).contains(new DataDirectory.LiveBroker("127.0.0.1:4712", pid, false));
            owner.close();
            assertThat(other.live()).isEmpty();
        }
    }

    @Test
    void shouldForgetTheAddressOfAnOwnerThatDied() throws IOException {
        Files.writeString(temporary.resolve("address"), "127.0.0.1:4711\n1\nstays\n");
        try (DataDirectory next = DataDirectory.open(temporary)) {
            assertThat(next.own()).isTrue();
            assertThat(next.live()).isEmpty();
        }
    }

    @Test
    void shouldAnnounceNothingThatIsNotOwned() {
        try (DataDirectory directory = DataDirectory.open(temporary)) {
            assertThatThrownBy(() -> directory.announce("127.0.0.1:1", true)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shouldDeleteOnlyWhatIsTemporary() throws IOException {
        DataDirectory kept = DataDirectory.open(temporary.resolve("kept"));
        kept.own();
        Files.createDirectories(kept.broker());
        kept.close();
        assertThat(kept.broker()).isDirectory();

        DataDirectory ephemeral = DataDirectory.ephemeral();
        ephemeral.own();
        Files.createDirectories(ephemeral.broker().resolve("deep"));
        Files.writeString(ephemeral.broker().resolve("deep/file"), "x");
        ephemeral.close();
        ephemeral.close();
        assertThat(ephemeral.path()).doesNotExist();
    }
}
