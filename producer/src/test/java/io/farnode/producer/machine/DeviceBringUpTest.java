package io.farnode.producer.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.farnode.producer.machine.policy.LpiBalance;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The traced machine without its trace: only the devices and the order in which they were bound are given; masks and
 * targets must come out as the real kernel showed them in each section of its listing.
 */
class DeviceBringUpTest {
    private final LpiRouting routing = new LpiRouting(TracedMachine.machine(), LpiBalance.LEAST_LOADED);
    private final List<MsiDevice> devices = List.of(
            MsiDevice.plain("virtio2", 0, -1, List.of("config", "requests")),
            MsiDevice.virtioNet("virtio1", 0, -1, 1),
            MsiDevice.virtioBlk("virtio0", 0, -1, 4),
            MsiDevice.nvme("nvme0", 0, -1, 8),
            MsiDevice.nvme("nvme1", 0, -1, 8),
            MsiDevice.nvme("nvme2", 0, -1, 6),
            MsiDevice.nvme("nvme3", 0, -1, 3));

    @BeforeEach
    void bindOneByOne() {
        devices.forEach(device -> device.bind(routing));
    }

    @Test
    void shouldPlaceEveryInterruptAsTheKernelDidInEverySection() {
        assertSection("after-load-of-drivers");
        routing.offline(5);
        assertSection("cpu5-offline");
        routing.online(5);
        assertSection("cpu5-online-again");
        Lpi input = lpi("virtio1-input.0");
        routing.writeAffinity(input, CpuSet.parse("2-6"));
        assertSection("irq23-set-to-2-6");
        routing.writeAffinity(input, CpuSet.parse("9"));
        assertSection("irq23-set-to-9");
        devices.get(4).unbind();
        assertSection("nvme1-unbound");
        devices.get(4).bind(routing);
        assertSection("nvme1-bound-again");
    }

    @Test
    void shouldRefuseToWriteTheAffinityOfAManagedInterrupt() {
        Lpi queue = lpi("nvme0q1");
        assertThatThrownBy(() -> routing.writeAffinity(queue, CpuSet.of(3)))
                .isInstanceOf(AffinityRefusedException.class)
                .hasMessage("affinity of nvme0q1 cannot be set to \"3\": EIO, the kernel manages it");
        assertThat(queue.target()).isEqualTo(10);
    }

    @Test
    void shouldRefuseAnAffinityWithoutOnlineCpu() {
        routing.offline(5);
        assertThatThrownBy(() -> routing.writeAffinity(lpi("virtio1-input.0"), CpuSet.of(5)))
                .isInstanceOf(AffinityRefusedException.class)
                .hasMessage("affinity of virtio1-input.0 cannot be set to \"5\": EINVAL, none of these CPUs is online");
    }

    @Test
    void shouldTakeTheFirstCpuOfEachMaskBeforeTheSeries() {
        LpiRouting before = new LpiRouting(TracedMachine.machine(), LpiBalance.FIRST_CPU);
        for (String drive : List.of("nvme0", "nvme1")) {
            MsiDevice.nvme(drive, 0, -1, 8).bind(before);
        }
        assertThat(before.lpis())
                .filteredOn(Lpi::managed)
                .hasSize(16)
                .allSatisfy(
                        lpi -> assertThat(lpi.target()).isEqualTo(lpi.affinity().first()));
    }

    private Lpi lpi(String name) {
        return routing.lpis().stream()
                .filter(lpi -> lpi.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void assertSection(String label) {
        Map<String, String> simulated = new TreeMap<>();
        routing.lpis()
                .forEach(lpi ->
                        simulated.put(lpi.name(), lpi.affinity() + " -> " + lpi.target() + " node " + lpi.node()));
        assertThat(simulated).as(label).isEqualTo(section(label));
    }

    /** Mask, effective CPU and node of every ITS interrupt in a section of the kernel's listing. */
    private static Map<String, String> section(String label) {
        Map<String, String> listed = new TreeMap<>();
        boolean inside = false;
        for (String line : TracedMachine.lines("irq-affinity.txt")) {
            if (line.startsWith("label: ")) {
                inside = line.equals("label: " + label);
            } else if (inside && line.endsWith("|ITS-MSI")) {
                String[] fields = line.split("\\|");
                listed.put(fields[1], fields[2] + " -> " + fields[3] + " node " + fields[4]);
            }
        }
        assertThat(listed).as(label).hasSizeGreaterThan(25);
        return listed;
    }
}
