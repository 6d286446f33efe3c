/**
 * The simulated machine beside what was posted of real ones: every cell before and after a kernel series, simulated with
 * parameters that were not set on the cells after. Pure: no I/O but bundled files, no clock.
 */
package io.farnode.producer.machine.validation;
