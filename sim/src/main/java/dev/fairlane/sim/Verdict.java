package dev.fairlane.sim;

import dev.fairlane.sim.invariant.Violation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a seed went.
 *
 * @param hash of everything that happened
 * @param last the last lines of the trace
 */
public record Verdict(
        long seed,
        long hash,
        long virtualMicros,
        long events,
        @Nullable Violation violation,
        List<String> last) {}
