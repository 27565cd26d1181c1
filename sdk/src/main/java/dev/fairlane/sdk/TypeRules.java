package dev.fairlane.sdk;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How jobs of a type are treated where it differs from what the server says. What is not set is as the server says. */
public final class TypeRules {
    private final dev.fairlane.protocol.v1.TypeRules wire;

    private TypeRules(dev.fairlane.protocol.v1.TypeRules wire) {
        this.wire = wire;
    }

    /** Rules that say nothing. */
    public static TypeRules none() {
        return new TypeRules(dev.fairlane.protocol.v1.TypeRules.getDefaultInstance());
    }

    public static Builder builder() {
        return new Builder(dev.fairlane.protocol.v1.TypeRules.newBuilder());
    }

    static TypeRules ofWire(dev.fairlane.protocol.v1.TypeRules wire) {
        return new TypeRules(wire);
    }

    dev.fairlane.protocol.v1.TypeRules wire() {
        return wire;
    }

    /** The same, to be changed. */
    public Builder toBuilder() {
        return new Builder(wire.toBuilder());
    }

    /** Waits after the first, second, … counted failure. */
    public List<Duration> retryDelays() {
        return wire.getRetryDelaysMsList().stream().map(Duration::ofMillis).toList();
    }

    /** Names of errors worth a retry; empty: all are. */
    public List<String> retryOn() {
        return List.copyOf(wire.getRetryOnList());
    }

    /** Outside systems the type declares. */
    public List<String> dependencies() {
        return List.copyOf(wire.getDependenciesList());
    }

    /** Most executions at once, by dependency. */
    public Map<String, Integer> dependencyCaps() {
        Map<String, Integer> caps = new TreeMap<>();
        wire.getDependencyCapsList().forEach(cap -> caps.put(cap.getDependency(), cap.getExecutions()));
        return caps;
    }

    public Optional<Duration> maxAge() {
        return wire.getMaxAgeMs() == 0 ? Optional.empty() : Optional.of(Duration.ofMillis(wire.getMaxAgeMs()));
    }

    public Optional<Duration> progressWindow() {
        return wire.getProgressWindowMs() == 0
                ? Optional.empty()
                : Optional.of(Duration.ofMillis(wire.getProgressWindowMs()));
    }

    /** Most executions of it at once; 0: no bound. */
    public int maxInFlight() {
        return wire.getMaxInFlight();
    }

    /** What its jobs need where they say nothing themselves. */
    public JobNeeds needs() {
        return wire.hasNeeds() ? JobNeeds.ofWire(wire.getNeeds()) : JobNeeds.NONE;
    }

    /** Whether a job of it may be asked to hand over at a checkpoint, to make room for a tenant below its share. */
    public boolean preemptible() {
        return wire.getPreemptible();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TypeRules that && wire.equals(that.wire);
    }

    @Override
    public int hashCode() {
        return wire.hashCode();
    }

    @Override
    public String toString() {
        return "TypeRules[" + wire.toString().replace("\n", " ").strip() + "]";
    }

    /** What makes a job one of a kind. */
    public enum UniqueBy {
        ARGS,
        KEY
    }

    /** How long the first of a kind keeps others out. */
    public enum UniqueDuring {
        QUEUED,
        RUNNING,
        A_TIME
    }

    /** What becomes of a second one. */
    public enum UniqueConflict {
        RETURN_EXISTING,
        REJECT,
        REPLACE,
        DEBOUNCE
    }

    /** Collects rules. */
    public static final class Builder {
        private final dev.fairlane.protocol.v1.TypeRules.Builder rules;

        private Builder(dev.fairlane.protocol.v1.TypeRules.Builder rules) {
            this.rules = rules;
        }

        /** Waits after the first, second, … counted failure; the last repeats. Default: 1 s, 5 s, 30 s, 5 min, 30 min. */
        public Builder retryDelays(Duration... delays) {
            rules.clearRetryDelaysMs();
            for (Duration delay : delays) {
                rules.addRetryDelaysMs(delay.toMillis());
            }
            return this;
        }

        /** Fraction by which a wait may be longer or shorter, 0 to 1. Default: 0.2. */
        public Builder retryJitter(double fraction) {
            rules.setRetryJitter(fraction);
            return this;
        }

        /** Retries after running over the time limit. Default: 1. */
        public Builder timeoutRetries(int retries) {
            rules.setTimeoutRetries(retries);
            return this;
        }

        /** Retries after being killed for memory or CPU. Default: 1. */
        public Builder resourceRetries(int retries) {
            rules.setResourceRetries(retries);
            return this;
        }

        /** Crashes of workers that a job survives. Default: 20. */
        public Builder crashLimit(int crashes) {
            rules.setCrashLimit(crashes);
            return this;
        }

        /** Errors worth a retry, by the full or the last part of their class's name; any other is permanent. */
        public Builder retryOn(String... errors) {
            rules.clearRetryOn().addAllRetryOn(List.of(errors));
            return this;
        }

        /** Longest time from submit to the job's end. Default: 7 days. */
        public Builder maxAge(Duration age) {
            rules.setMaxAgeMs(age.toMillis());
            return this;
        }

        /** Outside systems its jobs need: while a breaker on one is open, first attempts wait too. */
        public Builder dependencies(String... names) {
            rules.clearDependencies().addAllDependencies(List.of(names));
            return this;
        }

        /** Most executions at once of the tenant's jobs that declare or blame the dependency. */
        public Builder dependencyCap(String dependency, int executions) {
            var others = new ArrayList<>(rules.getDependencyCapsList());
            others.removeIf(cap -> cap.getDependency().equals(dependency));
            rules.clearDependencyCaps().addAllDependencyCaps(others);
            rules.addDependencyCapsBuilder().setDependency(dependency).setExecutions(executions);
            return this;
        }

        /** When its breakers open. Default: 50 % failing of at least 20 runs in 10 s. */
        public Builder breaker(int runs, int failingPercent, Duration window) {
            rules.getBreakerBuilder()
                    .setRuns(runs)
                    .setFailingPercent(failingPercent)
                    .setWindowMs(window.toMillis());
            return this;
        }

        /** When it is put in quarantine. Default: more than 50 % failing of at least 20 runs in an hour. */
        public Builder quarantine(int runs, int failingPercent, Duration window) {
            rules.getQuarantineBuilder()
                    .setRuns(runs)
                    .setFailingPercent(failingPercent)
                    .setWindowMs(window.toMillis());
            return this;
        }

        /** How long its jobs run, as far as is known. */
        public Builder duration(Duration duration) {
            rules.setDurationMs(duration.toMillis());
            return this;
        }

        /** It makes checkpoints. */
        public Builder checkpoints(boolean made) {
            rules.setCheckpoints(made);
            return this;
        }

        /** It may begin anew without its checkpoint. */
        public Builder restartable(boolean can) {
            rules.setRestartable(can);
            return this;
        }

        /** An execution that shows no progress and makes no checkpoint for so long is stopped as TIMEOUT. */
        public Builder progressWindow(Duration window) {
            rules.setProgressWindowMs(window.toMillis());
            return this;
        }

        /**
         * One job of a kind.
         *
         * @param period for {@link UniqueDuring#A_TIME} and {@link UniqueConflict#DEBOUNCE}; zero otherwise
         */
        public Builder unique(UniqueBy by, UniqueDuring during, Duration period, UniqueConflict conflict) {
            rules.getUniqueBuilder()
                    .setBy(by.name().toLowerCase(Locale.ROOT))
                    .setDuring(during.name().toLowerCase(Locale.ROOT))
                    .setPeriodMs(period.toMillis())
                    .setConflict(conflict.name().toLowerCase(Locale.ROOT));
            return this;
        }

        /** JSON Schema that payloads must obey. */
        public Builder payloadSchema(String json) {
            rules.setPayloadSchema(json);
            return this;
        }

        /** Most executions of it at once; 0: no bound. */
        public Builder maxInFlight(int executions) {
            rules.setMaxInFlight(executions);
            return this;
        }

        /** What its jobs need where they say nothing themselves. */
        public Builder needs(JobNeeds needs) {
            rules.setNeeds(needs.wire());
            return this;
        }

        /**
         * A job of it may be asked to hand over ({@link JobContext#handOverRequested}), to make room for a tenant below its share of the slots.
         * It is asked once in an execution, after a minute at the earliest; one that does not look runs on.
         */
        public Builder preemptible(boolean can) {
            rules.setPreemptible(can);
            return this;
        }

        public TypeRules build() {
            return new TypeRules(rules.build());
        }
    }
}
