/** The streams application as the program starts it, its HTTP endpoint, and the reader of its results. */
package io.farnode.streams.app;
