/**
 * What kernel and performance engineers record, read line by line: {@link io.farnode.producer.capture.CaptureFormat} is
 * the index of formats, {@link io.farnode.producer.capture.CaptureReader} the one shape of a reader. No wall clock: all
 * times come from the capture, from the user's options, or from whoever fed the bytes.
 */
package io.farnode.producer.capture;
