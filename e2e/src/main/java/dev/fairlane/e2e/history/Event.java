package dev.fairlane.e2e.history;

/** One thing that was seen. Texts have no blanks; a text that is not there is {@value #NONE}. */
public sealed interface Event {
    String NONE = "-";

    /** State of a read that found no job. */
    String NOT_FOUND = "NOT_FOUND";

    /** Call of a job that no call submitted, but the tick of a schedule. */
    long BY_CLOCK = -1;

    long at();

    // ---------------------------------------------------------------- calls

    /**
     * A submit is about to leave.
     *
     * @param call its number; the payload carries it. A call that is made again keeps its number
     * @param key {@code tenant/key}, or {@link #NONE}
     */
    record Submitting(long at, long call, String key, String type) implements Event {}

    /** The server said that this job is durable. */
    record Acked(long at, long call, String job) implements Event {}

    /** The server said that nothing was done. */
    record Refused(long at, long call, String code) implements Event {}

    /** No answer, or one that leaves open what happened. */
    record Unknown(long at, long call, String code) implements Event {}

    record Cancelling(long at, String job) implements Event {}

    /** @param outcome CANCELLED, CANCEL_REQUESTED or ALREADY_DONE */
    record CancelAnswered(long at, String job, String outcome) implements Event {}

    /**
     * One job was asked for.
     *
     * @param asked when the question left: what was known elsewhere before that must show in the answer
     * @param pass {@link #NONE} while the run goes on, else the name of a reading of everything
     * @param state as the server named it, or {@link #NOT_FOUND}
     * @param token what the job's result names as its token; 0 without a result
     * @param call what its payload names as its call; 0 if it was not found
     * @param key {@code tenant/key}, or {@link #NONE}
     */
    record Read(long at, long asked, String pass, String job, String state, long token, long call, String key)
            implements Event {}

    /**
     * A schedule was made that makes up for every tick.
     *
     * @param schedule {@code tenant/name}
     * @param firstTick in microseconds since the epoch, as all ticks
     */
    record Scheduled(long at, String schedule, long firstTick, long everyMicros) implements Event {}

    /** It was paused after this tick. */
    record Unscheduled(long at, String schedule, long lastTick) implements Event {}

    /**
     * The server was told how many executions there may be at once under a limit.
     *
     * @param limit its name in this history
     * @param leaseNanos how long a lease under it counts without a renewal
     */
    record Capped(long at, String limit, long most, long leaseNanos) implements Event {}

    /** The server was told how many jobs there may be of a type that only one tenant submits, or that many more: a month began. */
    record Allowed(long at, String type, long jobs) implements Event {}

    /** A row of a listing of everything. */
    record Listed(long at, String pass, String job, String state) implements Event {}

    /** The whole audit is read, whatever is in it. */
    record AuditRead(long at, String pass) implements Event {}

    /** A chain of the audit was read from its begin; {@link #NONE} is that of the system. */
    record ChainRead(long at, String pass, String chain, boolean holds) implements Event {}

    /** An entry of it. */
    record Audited(long at, String pass, String chain, long sequence, String action, String target) implements Event {}

    // ---------------------------------------------------------------- workers

    /** A handler begins. */
    record Started(long at, String worker, String job, long token, int execution) implements Event {}

    /**
     * A handler of a schedule's job begins.
     *
     * @param wallMicros what the clock on its wall says
     */
    record Ticked(long at, String worker, String job, String schedule, long tick, long wallMicros) implements Event {}

    /** A handler is at work, and its lease is valid as far as its process can know. There is one for every limit it is under. */
    record Held(long at, String worker, String job, long token, String limit) implements Event {}

    /** A handler is done; its outcome is about to be told. */
    record Ended(long at, String worker, String job, long token, boolean succeeded) implements Event {}

    /** A handler heard that its job was cancelled. */
    record CancelHeard(long at, String worker, String job, long token) implements Event {}

    /** The server answered an outcome. Only workers that speak the protocol themselves see this. */
    record Answered(long at, String worker, String job, long token, boolean accepted) implements Event {}

    /** The stream of a worker stands, or has broken. */
    record Contact(long at, String worker, boolean connected) implements Event {}

    // ---------------------------------------------------------------- faults

    /** @param target what was hit: server, postgres or the name of a worker */
    record Struck(long at, String fault, String target) implements Event {}

    record Healed(long at, String target) implements Event {}

    /** The event as a line, without its end. */
    default String line() {
        return switch (this) {
            case Submitting e -> words("submitting", e.call, e.key, e.type);
            case Acked e -> words("acked", e.call, e.job);
            case Refused e -> words("refused", e.call, e.code);
            case Unknown e -> words("unknown", e.call, e.code);
            case Cancelling e -> words("cancelling", e.job);
            case CancelAnswered e -> words("cancel_answered", e.job, e.outcome);
            case Read e -> words("read", e.asked, e.pass, e.job, e.state, e.token, e.call, e.key);
            case Scheduled e -> words("scheduled", e.schedule, e.firstTick, e.everyMicros);
            case Unscheduled e -> words("unscheduled", e.schedule, e.lastTick);
            case Ticked e -> words("ticked", e.worker, e.job, e.schedule, e.tick, e.wallMicros);
            case Capped e -> words("capped", e.limit, e.most, e.leaseNanos);
            case Allowed e -> words("allowed", e.type, e.jobs);
            case Listed e -> words("listed", e.pass, e.job, e.state);
            case AuditRead e -> words("audit_read", e.pass);
            case ChainRead e -> words("chain_read", e.pass, e.chain, e.holds);
            case Audited e -> words("audited", e.pass, e.chain, e.sequence, e.action, e.target);
            case Started e -> words("started", e.worker, e.job, e.token, e.execution);
            case Held e -> words("held", e.worker, e.job, e.token, e.limit);
            case Ended e -> words("ended", e.worker, e.job, e.token, e.succeeded);
            case CancelHeard e -> words("cancel_heard", e.worker, e.job, e.token);
            case Answered e -> words("answered", e.worker, e.job, e.token, e.accepted);
            case Contact e -> words("contact", e.worker, e.connected);
            case Struck e -> words("struck", e.fault, e.target);
            case Healed e -> words("healed", e.target);
        };
    }

    private String words(String kind, Object... fields) {
        StringBuilder line = new StringBuilder(64).append(at()).append(' ').append(kind);
        for (Object field : fields) {
            line.append(' ').append(field);
        }
        return line.toString();
    }

    /** @throws IllegalArgumentException if it is not a line of a history */
    static Event parse(String line) {
        Words words = new Words(line.split(" ", -1));
        long at = words.number();
        return switch (words.text()) {
            case "submitting" -> new Submitting(at, words.number(), words.text(), words.text());
            case "acked" -> new Acked(at, words.number(), words.text());
            case "refused" -> new Refused(at, words.number(), words.text());
            case "unknown" -> new Unknown(at, words.number(), words.text());
            case "cancelling" -> new Cancelling(at, words.text());
            case "cancel_answered" -> new CancelAnswered(at, words.text(), words.text());
            case "read" ->
                new Read(
                        at,
                        words.number(),
                        words.text(),
                        words.text(),
                        words.text(),
                        words.number(),
                        words.number(),
                        words.text());
            case "scheduled" -> new Scheduled(at, words.text(), words.number(), words.number());
            case "unscheduled" -> new Unscheduled(at, words.text(), words.number());
            case "ticked" -> new Ticked(at, words.text(), words.text(), words.text(), words.number(), words.number());
            case "capped" -> new Capped(at, words.text(), words.number(), words.number());
            case "allowed" -> new Allowed(at, words.text(), words.number());
            case "listed" -> new Listed(at, words.text(), words.text(), words.text());
            case "audit_read" -> new AuditRead(at, words.text());
            case "chain_read" -> new ChainRead(at, words.text(), words.text(), words.truth());
            case "audited" -> new Audited(at, words.text(), words.text(), words.number(), words.text(), words.text());
            case "started" -> new Started(at, words.text(), words.text(), words.number(), (int) words.number());
            case "held" -> new Held(at, words.text(), words.text(), words.number(), words.text());
            case "ended" -> new Ended(at, words.text(), words.text(), words.number(), words.truth());
            case "cancel_heard" -> new CancelHeard(at, words.text(), words.text(), words.number());
            case "answered" -> new Answered(at, words.text(), words.text(), words.number(), words.truth());
            case "contact" -> new Contact(at, words.text(), words.truth());
            case "struck" -> new Struck(at, words.text(), words.text());
            case "healed" -> new Healed(at, words.text());
            default -> throw new IllegalArgumentException("not an event: " + line);
        };
    }

    /** The words of a line, taken one after the other. */
    final class Words {
        private final String[] words;
        private int next;

        private Words(String[] words) {
            this.words = words;
        }

        private String text() {
            if (next >= words.length) {
                throw new IllegalArgumentException("an event with too few words: " + String.join(" ", words));
            }
            return words[next++];
        }

        private long number() {
            return Long.parseLong(text());
        }

        private boolean truth() {
            return Boolean.parseBoolean(text());
        }
    }
}
