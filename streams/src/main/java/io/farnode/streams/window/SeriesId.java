package io.farnode.streams.window;

import io.farnode.telemetry.ValueKind;

/**
 * What makes numbers of a run belong together: they may be added up with each other and with nothing else. Decimal
 * places are part of it, so that adding never needs to scale.
 *
 * @param source position of the source in RunStarted.sources
 * @param metric the metric's name
 * @param unit unit as the tool means it
 * @param kind kind of number
 * @param dimension further distinction, or ""
 * @param scope scope in canonical text
 * @param scale decimal places, 0..18
 */
public record SeriesId(
        int source, String metric, String unit, ValueKind kind, String dimension, String scope, int scale) {}
