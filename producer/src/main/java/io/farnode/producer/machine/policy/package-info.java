/** The kernel policies a simulated machine can run: for each family the baseline, the candidate and the optimum. */
package io.farnode.producer.machine.policy;
