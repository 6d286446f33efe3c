package io.farnode.streams;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.streams.KafkaStreams;
import org.junit.jupiter.api.Test;

/** The rules of the design that this module can break. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.farnode.streams");

    @Test
    void shouldKeepArithmeticAndStatisticsPure() {
        noClasses()
                .that()
                .resideInAnyPackage("io.farnode.streams.window..", "io.farnode.streams.verdict..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.apache.kafka..",
                        "io.micrometer..",
                        "io.prometheus..",
                        "java.net..",
                        "io.farnode.streams.topology..",
                        "io.farnode.streams.metrics..",
                        "io.farnode.streams.app..")
                .check(CLASSES);
    }

    @Test
    void shouldRunKafkaStreamsOnlyInApp() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.farnode.streams.app..")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(KafkaStreams.class)
                .check(CLASSES);
    }

    @Test
    void shouldWriteToKafkaOnlyThroughTheTopology() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .areAssignableTo(KafkaProducer.class)
                .check(CLASSES);
    }

    @Test
    void shouldKnowMetersOnlyInMetricsAndApp() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.farnode.streams.metrics..", "io.farnode.streams.app..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.micrometer..", "io.prometheus..")
                .check(CLASSES);
    }

    @Test
    void shouldReadTheWallClockOnlyInApp() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.farnode.streams.app..")
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
    void shouldNotKnowTheProducer() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.farnode.producer..", "io.farnode.cli..")
                .check(CLASSES);
    }

    @Test
    void shouldHaveNoCyclesBetweenPackages() {
        slices().matching("io.farnode.streams.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void shouldHaveNoGrabBags() {
        noClasses()
                .should()
                .resideInAnyPackage("..util..", "..common..", "..misc..", "..helper..")
                .check(CLASSES);
    }
}
