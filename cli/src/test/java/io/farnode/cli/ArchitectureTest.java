package io.farnode.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass.Predicates;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.elements.ClassesShould;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The rules of the design that only the whole program can break. */
class ArchitectureTest {
    private static final String CLI = "io.farnode.cli..";
    private static final String PRODUCER = "io.farnode.producer..";
    private static final String STREAMS = "io.farnode.streams..";

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.farnode");

    @Test
    void shouldSeeAllModules() {
        // without this, the other rules could hold because a module is missing
        for (String name : new String[] {"contract", "producer", "streams", "cli"}) {
            assertThat(CLASSES.that(Predicates.resideInAPackage("io.farnode." + name + "..")))
                    .as(name)
                    .isNotEmpty();
        }
    }

    @Test
    void shouldKeepTheContractFreeOfEverythingElse() {
        forbid("io.farnode.contract..", PRODUCER, STREAMS, CLI);
        forbid("io.farnode.telemetry..", PRODUCER, STREAMS, CLI);
        forbid("io.farnode.results..", PRODUCER, STREAMS, CLI);
    }

    @Test
    void shouldKeepProducerAndStreamsApart() {
        forbid(PRODUCER, STREAMS, CLI);
        forbid(STREAMS, PRODUCER, CLI);
    }

    @Test
    void shouldKeepPureWhatIsPure() {
        for (String pure : new String[] {
            "io.farnode.producer.machine..", "io.farnode.streams.window..", "io.farnode.streams.verdict.."
        }) {
            forbid(pure, "org.apache.kafka..", "io.micrometer..");
        }
    }

    @Test
    void shouldKnowTheBrokerInOnePlace() {
        outside("io.farnode.cli.broker..")
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "kafka..",
                        "scala..",
                        "org.apache.kafka.server..",
                        "org.apache.kafka.metadata..",
                        "org.apache.kafka.storage..",
                        "org.apache.kafka.raft..")
                .check(CLASSES);
    }

    @Test
    void shouldKnowKafkaProducerOnlyInPublish() {
        outside("io.farnode.producer.publish..")
                .dependOnClassesThat()
                .resideInAPackage("org.apache.kafka.clients.producer..")
                .check(CLASSES);
    }

    @Test
    void shouldKnowKafkaStreamsOnlyInItsApp() {
        outside("io.farnode.streams.app..")
                .dependOnClassesThat()
                .haveFullyQualifiedName("org.apache.kafka.streams.KafkaStreams")
                .check(CLASSES);
    }

    @Test
    void shouldKnowMicrometerOnlyWhereMetersAre() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.farnode.streams.metrics..", "io.farnode.streams.app..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.micrometer..")
                .check(CLASSES);
    }

    @Test
    void shouldReadTheWallClockOnlyAtTheEdges() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.farnode.producer.replay..", "io.farnode.streams.app..", CLI)
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(Clock.class, "systemUTC")
                .orShould()
                .callConstructor(Random.class)
                .orShould()
                .callMethod(Math.class, "random")
                .check(CLASSES);
    }

    @Test
    void shouldHaveNoCyclesBetweenPackages() {
        slices().matching("io.farnode.cli.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void shouldHaveNoGrabBags() {
        noClasses()
                .should()
                .resideInAnyPackage("..util..", "..common..", "..misc..", "..helper..")
                .check(CLASSES.that(Predicates.resideInAPackage("io.farnode..")));
    }

    private static void forbid(String from, String... to) {
        noClasses()
                .that()
                .resideInAPackage(from)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(to)
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    private static ClassesShould outside(String home) {
        return noClasses().that().resideOutsideOfPackage(home).should();
    }
}
