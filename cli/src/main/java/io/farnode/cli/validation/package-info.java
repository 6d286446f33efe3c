/** How a validation is shown: as tables, as a page, as data, as a plot. */
package io.farnode.cli.validation;
