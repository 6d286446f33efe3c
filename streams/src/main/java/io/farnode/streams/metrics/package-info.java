/** What a scrape of {@code /metrics} shows: the last closed window of each run, runs, verdicts and what was dropped. */
package io.farnode.streams.metrics;
