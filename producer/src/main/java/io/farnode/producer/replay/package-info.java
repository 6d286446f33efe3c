/**
 * Captures become runs: several files and pipes merged in event-time order, paced against the wall clock. The one package
 * of the producer that looks at a wall clock.
 */
package io.farnode.producer.replay;
