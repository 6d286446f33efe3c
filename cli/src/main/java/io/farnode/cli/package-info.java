/** The one program. */
package io.farnode.cli;
