package io.farnode.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher script: finds Java and Maven or says how to get them, builds when needed, works from anywhere. */
class LauncherIT {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final List<String> TOOLS = List.of(
            "sh", "dirname", "readlink", "uname", "sed", "head", "find", "cat", "mkdir", "mv", "rm", "stty", "apt-get");

    @TempDir
    private Path directory;

    private Path tools;

    @BeforeEach
    void collectTools() throws IOException {
        tools = Files.createDirectories(directory.resolve("tools"));
        for (String tool : TOOLS) {
            for (String place : new String[] {"/usr/bin", "/bin"}) {
                Path found = Path.of(place, tool);
                if (Files.exists(found) && !Files.exists(tools.resolve(tool))) {
                    script(tools.resolve(tool), "exec " + found + " \"$@\"");
                }
            }
        }
        if (!Files.exists(tools.resolve("apt-get"))) {
            script(tools.resolve("apt-get"), "exit 0");
        }
    }

    @AfterEach
    void removeLinks() throws IOException {
        for (String link : List.of("tools/java", "bin/fn", "first")) {
            Files.deleteIfExists(directory.resolve(link));
        }
    }

    @Test
    void shouldRunFromAnyDirectoryThroughSymbolicLinks() throws IOException {
        Path first = Files.createSymbolicLink(
                directory.resolve("first"), FarnodeProcess.root().toRealPath().resolve("farnode"));
        Files.createDirectories(directory.resolve("bin"));
        Path second = Files.createSymbolicLink(directory.resolve("bin/fn"), Path.of("../first"));
        assertThat(first).isSymbolicLink();
        Result result = run(Map.of(), second, "--version");
        assertThat(result.out).singleElement().asString().startsWith("farnode 0.");
        assertThat(result.code).isZero();
    }

    @Test
    void shouldHandArgumentsOnAsTheyAre() {
        Result result = run(Map.of(), launcher(), "topics", "a b", "*");
        assertThat(result.err)
                .last()
                .asString()
                .isEqualTo("farnode: Unmatched arguments from index 1: 'a b', '*' (farnode topics --help)");
        assertThat(result.code).isEqualTo(2);
    }

    @Test
    void shouldStartWithoutBuildingOnceItIsBuilt() {
        run(Map.of(), launcher(), "--version");
        long start = System.nanoTime();
        Result result = run(Map.of(), launcher(), "--version");
        assertThat(result.err).isEmpty();
        // the aim is a second with nothing else running; tests run beside others
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
    }

    @Test
    void shouldSayHowToGetJava() {
        Result result = run(Map.of("PATH", tools.toString(), "JAVA_HOME", ""), launcher(), "--version");
        assertThat(result.code).isEqualTo(1);
        assertThat(result.err)
                .containsExactly("farnode: Java 17 or later is needed and none was found in JAVA_HOME or on the PATH;"
                        + " install it: sudo apt-get install -y openjdk-17-jdk-headless");
    }

    @Test
    void shouldSayThatJavaIsTooOld() throws IOException {
        Path old = fakeJava("11.0.2");
        Result result = run(Map.of("PATH", tools.toString(), "JAVA_HOME", old.toString()), launcher(), "--version");
        assertThat(result.code).isEqualTo(1);
        assertThat(result.err)
                .containsExactly("farnode: Java 17 or later is needed, found only Java 11.0.2 in " + old
                        + "; install it: sudo apt-get install -y openjdk-17-jdk-headless");
    }

    @Test
    void shouldTakeJavaFromThePathWhenJavaHomeIsTooOld() throws IOException {
        Path old = fakeJava("1.8.0_402");
        Files.createSymbolicLink(tools.resolve("java"), Path.of(System.getProperty("java.home"), "bin", "java"));
        Result result = run(Map.of("PATH", tools.toString(), "JAVA_HOME", old.toString()), launcher(), "--version");
        assertThat(result.out).singleElement().asString().startsWith("farnode 0.");
    }

    @Test
    void shouldSayHowToGetMaven() throws IOException {
        Result result = run(
                Map.of("PATH", tools.toString(), "JAVA_HOME", System.getProperty("java.home")), unbuilt(), "--version");
        assertThat(result.code).isEqualTo(1);
        assertThat(result.err)
                .containsExactly("farnode: building farnode needs Maven 3.8 or later and there is none on the PATH;"
                        + " install it: sudo apt-get install -y maven");
    }

    @Test
    void shouldSayThatMavenIsTooOld() throws IOException {
        script(tools.resolve("mvn"), "echo 'Apache Maven 3.6.3'");
        Result result = run(
                Map.of("PATH", tools.toString(), "JAVA_HOME", System.getProperty("java.home")), unbuilt(), "--version");
        assertThat(result.code).isEqualTo(1);
        assertThat(result.err)
                .containsExactly("farnode: building farnode needs Maven 3.8 or later, found 3.6.3;"
                        + " install it: sudo apt-get install -y maven");
    }

    @Test
    void shouldShowWhyABuildFailed() throws IOException {
        script(
                tools.resolve("mvn"),
                "case \"$*\" in *-v) echo 'Apache Maven 3.9.9' ;; *) echo 'no such plug-in'; exit 1 ;; esac");
        Path launcher = unbuilt();
        Result result = run(
                Map.of("PATH", tools.toString(), "JAVA_HOME", System.getProperty("java.home")), launcher, "--version");
        assertThat(result.code).isEqualTo(1);
        assertThat(result.err)
                .containsExactly(
                        "farnode: building (the first time this downloads libraries and takes a few minutes)",
                        "no such plug-in",
                        "farnode: the build failed; the lines above are in "
                                + launcher.getParent().toRealPath().resolve("cli/target/farnode-build.log"));
    }

    @Test
    void shouldSayThatARuntimeCannotBuild() throws IOException {
        Path runtime = fakeJava("21.0.1");
        Result result = run(Map.of("PATH", tools.toString(), "JAVA_HOME", runtime.toString()), unbuilt(), "--version");
        assertThat(result.code).isEqualTo(1);
        assertThat(result.err)
                .containsExactly("farnode: building farnode needs a JDK, and " + runtime
                        + " is only a runtime; install one: sudo apt-get install -y openjdk-17-jdk-headless");
    }

    private static Path launcher() {
        return FarnodeProcess.root().resolve("farnode");
    }

    /** The script in a project that was never built. */
    private Path unbuilt() throws IOException {
        Path project = Files.createDirectories(directory.resolve("project"));
        Files.writeString(project.resolve("pom.xml"), "<project/>");
        return Files.copy(launcher(), project.resolve("farnode"));
    }

    private Path fakeJava(String version) throws IOException {
        Path home = directory.resolve("java-" + version);
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"" + version + "\"\n");
        script(home.resolve("bin/java"), "echo this one must not be run >&2; exit 99");
        return home;
    }

    private static void script(Path file, String line) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + line + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Result run(Map<String, String> environment, Path launcher, String... args) {
        try (FarnodeProcess process = FarnodeProcess.run(environment, launcher.toAbsolutePath(), directory, args)) {
            int code = process.exitCode(PATIENCE);
            return new Result(code, process.out(), process.err());
        }
    }

    private record Result(int code, List<String> out, List<String> err) {}
}
