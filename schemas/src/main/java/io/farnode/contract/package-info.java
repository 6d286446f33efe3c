/**
 * The contract between whatever emits telemetry and whatever reads it: topics and their settings, keys, the wire
 * format and its evolution, the names of scopes and signals, and the one way to lay a sample out by column. Depends on
 * nothing else of farnode.
 */
package io.farnode.contract;
