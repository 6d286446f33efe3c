/** What becomes a run in Kafka: captured files, live pipes and the simulated machine, behind one interface. */
package io.farnode.producer;
