/**
 * The benchmarks, one class each, over one canonical workload: 100 bytes of JSON, a handler that does nothing, durable commits, one
 * worker process and one client process, everything through the public API.
 */
@NullMarked
package dev.fairlane.bench.run;

import org.jspecify.annotations.NullMarked;
