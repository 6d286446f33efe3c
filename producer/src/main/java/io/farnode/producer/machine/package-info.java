/**
 * The simulated NUMA machine: topology and costs as data, the interrupt controller's routing of LPIs, how the kernel
 * spreads the vectors of a device over CPUs, and the event core. What the kernel does is written down here once; what a
 * policy changes is a small rule that is plugged in. Pure and seeded: no clock, no network, no file but the bundled data.
 */
package io.farnode.producer.machine;
