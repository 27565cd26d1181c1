package dev.fairlane.core.shard;

import dev.fairlane.core.model.FailureRules;
import dev.fairlane.core.model.TypeRules.Threshold;
import dev.fairlane.core.outcome.Breaker;
import dev.fairlane.core.outcome.Window;

/** What counts as failing where a type says nothing else, and how far back is looked; one for all. */
final class Lookback {
    private static final int POISON_BUCKETS = 12;

    private final FailureRules failures;
    private final Window.Span breaker;
    private final Window.Span quarantine;

    Lookback(FailureRules failures) {
        this.failures = failures;
        this.breaker = Breaker.span(failures.breaker());
        this.quarantine = Window.Span.of(POISON_BUCKETS, failures.quarantine().windowMicros());
    }

    Threshold breaker(Threshold own) {
        return merge(own, failures.breaker());
    }

    Threshold quarantine(Threshold own) {
        return merge(own, failures.quarantine());
    }

    private static Threshold merge(Threshold own, Threshold node) {
        if (own.equals(Threshold.AS_NODE)) {
            return node;
        }
        return new Threshold(
                own.runs() > 0 ? own.runs() : node.runs(),
                own.failingPercent() > 0 ? own.failingPercent() : node.failingPercent(),
                own.windowMicros() > 0 ? own.windowMicros() : node.windowMicros());
    }

    /** A window as breakers of the type have it. */
    Window breakerWindow(Threshold own) {
        return new Window(own.windowMicros() > 0 ? Breaker.span(own) : breaker);
    }

    /** A window by which a type counts as poison. */
    Window quarantineWindow(Threshold own) {
        return new Window(own.windowMicros() > 0 ? Window.Span.of(POISON_BUCKETS, own.windowMicros()) : quarantine);
    }
}
