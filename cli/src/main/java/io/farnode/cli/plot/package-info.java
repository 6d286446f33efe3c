/** Plots as SVG text. */
package io.farnode.cli.plot;
