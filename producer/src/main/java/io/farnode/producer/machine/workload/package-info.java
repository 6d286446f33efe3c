/** What a simulated machine does: scenarios, the loads that run on it, and the run that tells what its tools print. */
package io.farnode.producer.machine.workload;
