package io.farnode.producer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The rules of the design that this module can break. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.farnode.producer");

    @Test
    void shouldKeepTheMachinePure() {
        noClasses()
                .that()
                .resideInAPackage("io.farnode.producer.machine..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.apache.kafka..",
                        "io.micrometer..",
                        "java.net..",
                        "io.farnode.producer.publish..",
                        "io.farnode.producer.replay..",
                        "io.farnode.producer.capture..")
                .check(CLASSES);
    }

    @Test
    void shouldKnowKafkaProducerOnlyInPublish() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.farnode.producer.publish..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.kafka..")
                .check(CLASSES);
    }

    @Test
    void shouldReadTheWallClockOnlyInReplay() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.farnode.producer.replay..")
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
        slices().matching("io.farnode.producer.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void shouldHaveNoGrabBags() {
        noClasses()
                .should()
                .resideInAnyPackage("..util..", "..common..", "..misc..", "..helper..")
                .check(CLASSES);
    }
}
