package io.farnode.producer.machine.workload;

import io.farnode.producer.machine.Machine;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;

/** Machines of users, as text, for tests. */
final class MachineTexts {
    private MachineTexts() {}

    /** A machine of one node of 12 CPUs. */
    static Machine oneNode() {
        try {
            return Machine.read("one-node.machine", new StringReader("""
                    name = one-node
                    architecture = x86_64
                    cpu-model = broadwell
                    node.0 = 0-11
                    socket.0 = 0
                    threads-per-core = 1
                    distance.0 = 10
                    memory-ns.0 = 85
                    line-ns.0 = 44
                    bandwidth.0 = 10.1
                    device-nodes = 0
                    local-events = node-loads
                    remote-events = node-load-misses
                    tick-hz = 250
                    ticks-traced = off
                    clock-mhz = 1700
                    memory-free-kib = 1000000
                    memory-buffer-kib = 1000
                    memory-cache-kib = 1000
                    """));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
