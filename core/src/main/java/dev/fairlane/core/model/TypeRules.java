package dev.fairlane.core.model;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How jobs of a type are treated where it differs from the node's rules. Numbers: −1 (or 0 where 0 makes no sense) means "as the
 * node says"; empty lists and strings say nothing.
 *
 * @param retryDelaysMicros waits after the first, second, … counted failure; the last repeats
 * @param retryJitter fraction by which a wait may be longer or shorter; −1: as the node says
 * @param timeoutRetries retries after running over the time limit
 * @param resourceRetries retries after being killed for memory or CPU
 * @param crashLimit crashes a job survives
 * @param retryOn names of errors worth a retry; where not empty, any other error is NON_RETRYABLE
 * @param maxAgeMicros longest time from submit to the job's end
 * @param dependencies outside systems the type declares: while a breaker on one is open, first attempts wait too
 * @param dependencyCaps most executions at once of the tenant's jobs that declare or blame the dependency
 * @param breaker when the breaker of (type, dependency) opens
 * @param quarantine when the type counts as poison
 * @param durationMicros how long it says it runs
 * @param checkpoints it makes checkpoints
 * @param restartable it may begin anew without them
 * @param progressWindowMicros an execution that shows no progress for so long is stopped; 0: it may be silent
 * @param unique what makes a job one of a kind, or null
 * @param payloadSchema JSON Schema its payloads must obey, empty for none
 * @param maxInFlight most executions of it at once; 0: no bound
 * @param needs of its jobs that state none of their own
 * @param preemptible an execution of it may be asked to hand over at a checkpoint, to make room for a tenant below its share
 */
public record TypeRules(
        List<Long> retryDelaysMicros,
        double retryJitter,
        int timeoutRetries,
        int resourceRetries,
        int crashLimit,
        List<String> retryOn,
        long maxAgeMicros,
        List<String> dependencies,
        Map<String, Integer> dependencyCaps,
        Threshold breaker,
        Threshold quarantine,
        long durationMicros,
        boolean checkpoints,
        boolean restartable,
        long progressWindowMicros,
        @Nullable UniqueRule unique,
        String payloadSchema,
        int maxInFlight,
        JobNeeds needs,
        boolean preemptible) {
    public static final TypeRules NONE = new Draft().rules();

    /** Rules that say nothing but what this sets. */
    public static TypeRules saying(Consumer<Draft> said) {
        Draft draft = new Draft();
        said.accept(draft);
        return draft.rules();
    }

    /** Rules as they are put together, field by field; what is not set says nothing. */
    public static final class Draft {
        public List<Long> retryDelaysMicros = List.of();
        public double retryJitter = -1;
        public int timeoutRetries = -1;
        public int resourceRetries = -1;
        public int crashLimit = -1;
        public List<String> retryOn = List.of();
        public long maxAgeMicros;
        public List<String> dependencies = List.of();
        public Map<String, Integer> dependencyCaps = Map.of();
        public Threshold breaker = Threshold.AS_NODE;
        public Threshold quarantine = Threshold.AS_NODE;
        public long durationMicros;
        public boolean checkpoints;
        public boolean restartable;
        public long progressWindowMicros;
        public @Nullable UniqueRule unique;
        public String payloadSchema = "";
        public int maxInFlight;
        public JobNeeds needs = JobNeeds.NONE;
        public boolean preemptible;

        public TypeRules rules() {
            return new TypeRules(
                    retryDelaysMicros,
                    retryJitter,
                    timeoutRetries,
                    resourceRetries,
                    crashLimit,
                    retryOn,
                    maxAgeMicros,
                    dependencies,
                    dependencyCaps,
                    breaker,
                    quarantine,
                    durationMicros,
                    checkpoints,
                    restartable,
                    progressWindowMicros,
                    unique,
                    payloadSchema,
                    maxInFlight,
                    needs,
                    preemptible);
        }
    }

    /** So many runs at least in the window, more than so many percent of them failing; 0: as the node says. */
    public record Threshold(int runs, int failingPercent, long windowMicros) {
        public static final Threshold AS_NODE = new Threshold(0, 0, 0);
    }

    /**
     * One job of a kind.
     *
     * @param by what makes two jobs the same kind
     * @param during how long the first keeps others out
     * @param periodMicros for {@link During#A_TIME}; for {@link Conflict#DEBOUNCE}, how long the job waits for another
     */
    public record UniqueRule(By by, During during, long periodMicros, Conflict conflict) {}

    public enum By {
        ARGS,
        KEY
    }

    public enum During {
        /** Until it is leased. */
        QUEUED,
        /** Until it is at its end. */
        RUNNING,
        /** For a time from its submit, whatever becomes of it. */
        A_TIME
    }

    public enum Conflict {
        RETURN_EXISTING,
        REJECT,
        REPLACE,
        DEBOUNCE
    }
}
