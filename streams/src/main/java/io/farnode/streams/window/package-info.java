/**
 * Window arithmetic: sharing spans out over windows, adding up exactly, and turning sums into rates, ratios and the
 * signals people ask about. Pure functions of telemetry records; knows neither Kafka nor meters.
 */
package io.farnode.streams.window;
