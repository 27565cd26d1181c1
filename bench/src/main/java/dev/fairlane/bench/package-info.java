/** Benchmarks. */
@NullMarked
package dev.fairlane.bench;

import org.jspecify.annotations.NullMarked;
