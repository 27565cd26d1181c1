package dev.fairlane.sdk;

import dev.fairlane.protocol.v1.ScheduleSpec;
import dev.fairlane.sdk.internal.Codec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A rule that submits a job at every tick. Immutable; what is not said is as the guide "Schedules" says.
 *
 * <pre>{@code
 * fairlane.schedules().put(Schedule.cron("nightly", "0 2 * * *", ZoneId.of("Europe/Berlin"))
 *         .job(Job.of("report"))
 *         .catchup(Schedule.Catchup.LATEST)
 *         .build());
 * }</pre>
 */
public final class Schedule {
    private final String name;
    private final ScheduleSpec spec;
    private final Job job;

    private Schedule(String name, ScheduleSpec spec, Job job) {
        this.name = name;
        this.spec = spec;
        this.job = job;
    }

    /** What becomes of ticks that were missed. */
    public enum Catchup {
        /** They are left out; one that is at most a minute late counts. */
        NONE,
        /** The newest is made up for. */
        LATEST,
        /** All are made up for, in order and at a pace. */
        ALL
    }

    /** What becomes of a tick while the run before is open. */
    public enum Overlap {
        /** It is left out. */
        SKIP,
        /** One waits for the end of that run. */
        BUFFER_ONE,
        /** That run is cancelled. */
        CANCEL_PREVIOUS,
        /** Both run. */
        ALLOW
    }

    /** What becomes of local times that the clocks jump over. */
    public enum Gap {
        SKIP,
        /** They come as much later as the clocks went forward. */
        SHIFT
    }

    /** Which of two equal local times counts when the clocks go back. */
    public enum Twice {
        FIRST,
        SECOND,
        BOTH
    }

    /**
     * By a cron expression.
     *
     * @param name 1 to 128 of letters, digits and {@code ._-}, unique in the tenant
     * @param expression five fields, six with seconds first, or a name like {@code @daily}
     */
    public static Builder cron(String name, String expression, ZoneId zone) {
        Builder builder = new Builder(name);
        builder.spec.setCron(expression).setZone(zone.getId());
        return builder;
    }

    /** By an interval, from a second to 366 days, counted from tick to tick. */
    public static Builder every(String name, Duration interval) {
        Builder builder = new Builder(name);
        builder.spec.setEveryMs(interval.toMillis());
        return builder;
    }

    /** By an interval that is counted from the end of the run before. */
    public static Builder afterEach(String name, Duration interval) {
        Builder builder = every(name, interval);
        builder.spec.setFromCompletion(true);
        return builder;
    }

    /** Once. */
    public static Builder once(String name, Instant at) {
        Builder builder = new Builder(name);
        builder.spec.setAtMicros(micros(at));
        return builder;
    }

    public String name() {
        return name;
    }

    ScheduleSpec encode(Codec codec) {
        return spec.toBuilder().setJob(job.encode(codec)).build();
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    @Override
    public String toString() {
        return "Schedule[" + name + "]";
    }

    /** A schedule to be. */
    public static final class Builder {
        private final String name;
        private final ScheduleSpec.Builder spec = ScheduleSpec.newBuilder();
        private @Nullable Job job;

        private Builder(String name) {
            this.name = name;
        }

        /** What every tick submits: a job without time, key and group. */
        public Builder job(Job template) {
            this.job = template;
            return this;
        }

        public Builder catchup(Catchup policy) {
            spec.setCatchup(word(policy));
            return this;
        }

        /** How many of {@linkplain Catchup#ALL all} missed ticks are made up for in a minute, 1 to 6,000. Default: 60. */
        public Builder catchupPerMinute(int most) {
            spec.setCatchupPerMinute(most);
            return this;
        }

        public Builder overlap(Overlap policy) {
            spec.setOverlap(word(policy));
            return this;
        }

        /** Only for cron expressions. */
        public Builder gap(Gap policy) {
            spec.setDstGap(word(policy));
            return this;
        }

        /** Only for cron expressions. */
        public Builder twice(Twice policy) {
            spec.setDstOverlap(word(policy));
            return this;
        }

        /** Ticks come later by up to this, at most a minute; zero: exact. Default: a minute or a tenth of the time to the next tick. */
        public Builder jitter(Duration most) {
            spec.setJitterMs(most.toMillis());
            return this;
        }

        /** A run that ends dead pauses the schedule. */
        public Builder pauseOnFailure() {
            spec.setPauseOnFailure(true);
            return this;
        }

        /** No ticks before. */
        public Builder start(Instant at) {
            spec.setStartMicros(micros(at));
            return this;
        }

        /** No ticks after. */
        public Builder end(Instant at) {
            spec.setEndMicros(micros(at));
            return this;
        }

        /** Ends after so many runs. */
        public Builder maxRuns(long runs) {
            spec.setMaxRuns(runs);
            return this;
        }

        /** For people; at most 1,024 characters. */
        public Builder description(String text) {
            spec.setDescription(text);
            return this;
        }

        /** @throws NullPointerException if it has no job */
        public Schedule build() {
            return new Schedule(name, spec.build(), Objects.requireNonNull(job, "a schedule needs a job"));
        }

        private static String word(Enum<?> value) {
            return value.name().toLowerCase(Locale.ROOT);
        }
    }
}
