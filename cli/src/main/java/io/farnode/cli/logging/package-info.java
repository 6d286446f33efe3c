/** What the program writes about itself: warnings by default, more when asked; always on standard error. */
package io.farnode.cli.logging;
