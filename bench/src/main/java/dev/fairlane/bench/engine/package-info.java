/** Micro-benchmarks of the pure core, without clock, thread or disk. */
@NullMarked
package dev.fairlane.bench.engine;

import org.jspecify.annotations.NullMarked;
