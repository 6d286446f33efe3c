/**
 * Benchmarks. Macro runs pair farnode with a baseline in the same process and print a ratio, because shared machines
 * make absolute figures drift; JMH measures single codecs.
 */
package io.farnode.bench;
