/** What a node shows of itself to those who watch machines: liveness, readiness, metrics. */
@NullMarked
package dev.fairlane.server.telemetry;

import org.jspecify.annotations.NullMarked;
