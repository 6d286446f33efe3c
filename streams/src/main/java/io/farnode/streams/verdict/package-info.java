/**
 * Pure statistics: what a comparison of runs can honestly say. Knows neither Kafka nor a clock nor chance: the same
 * numbers give the same verdict.
 */
package io.farnode.streams.verdict;
