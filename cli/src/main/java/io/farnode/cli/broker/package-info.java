/**
 * A real Apache Kafka broker inside this process, and the directory it keeps its data in. The only package of farnode
 * that knows the broker's classes.
 */
package io.farnode.cli.broker;
