/** Puts runs into Kafka. The only package that knows KafkaProducer. */
package io.farnode.producer.publish;
