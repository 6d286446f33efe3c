/** What a person sees: tables, a progress bar, a table that is redrawn in place; plain lines when there is no terminal. */
package io.farnode.cli.terminal;
