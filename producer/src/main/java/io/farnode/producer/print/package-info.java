/**
 * Prints a run of the simulated machine as the text that vmstat, perf and /proc would show there, so that whatever reads
 * their files can read it.
 */
package io.farnode.producer.print;
