/**
 * Which Kafka a command works with: one the user names, the broker of a running farnode, or an embedded one; and
 * farnode's topics on it.
 */
package io.farnode.cli.cluster;
