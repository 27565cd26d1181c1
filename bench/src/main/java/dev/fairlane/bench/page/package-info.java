/**
 * The results that are kept, as a page with plots. The plots are drawn here, from the same files the page quotes, so that both are made
 * anew by one command and a test can tell when they are out of date; a chart library would bring a browser or a toolkit for six pictures.
 */
@NullMarked
package dev.fairlane.bench.page;

import org.jspecify.annotations.NullMarked;
