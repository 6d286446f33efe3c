/**
 * The Kafka Streams application's assembly: processors, stores and their names. All arithmetic is in
 * {@link io.farnode.streams.window} and {@link io.farnode.streams.verdict}; here records are decoded, state is kept and
 * results are sent on.
 *
 * <p>Plain key-value stores with a watermark per run are used, never window stores: Kafka Streams' stream time belongs to
 * a partition, so that an old capture behind a newer run would be dropped as late, or expire from a window store.
 */
package io.farnode.streams.topology;
