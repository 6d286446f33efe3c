/** The commands of the program, and what they share: where output goes and the order in which things are shut down. */
package io.farnode.cli.command;
