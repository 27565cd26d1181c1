package dev.fairlane.journal;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import dev.fairlane.core.model.Attempt;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobMarks;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Resources;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.stored.AttemptFields;
import dev.fairlane.journal.stored.CheckpointFields;
import dev.fairlane.journal.stored.FailureFields;
import dev.fairlane.journal.stored.Label;
import dev.fairlane.journal.stored.MarksFields;
import dev.fairlane.journal.stored.NeedsFields;
import dev.fairlane.journal.stored.ReplayFields;
import dev.fairlane.journal.stored.SpecFields;
import dev.fairlane.journal.stored.StatusFields;
import dev.fairlane.journal.stored.TermsFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads what {@link FieldWriter} writes. Strict: an unknown field, a name or ordinal out of range is an error, never skipped. */
final class FieldReader {
    static final int VARINT = WireFormat.WIRETYPE_VARINT;
    static final int FIXED64 = WireFormat.WIRETYPE_FIXED64;
    static final int BYTES = WireFormat.WIRETYPE_LENGTH_DELIMITED;
    static final int GROUP = WireFormat.WIRETYPE_START_GROUP;

    private static final int GROUP_END = WireFormat.WIRETYPE_END_GROUP;
    private static final byte[] NO_BYTES = {};
    private static final JobState[] STATES = JobState.values();
    private static final FailureClass[] CLASSES = FailureClass.values();

    final CodedInputStream in;
    private final List<String> names = new ArrayList<>();
    private long at;
    private long hi;
    private long lo;
    private long token;

    FieldReader(byte[] bytes) {
        in = CodedInputStream.newInstance(bytes);
    }

    /** @param at base of the times that follow */
    void base(long at) {
        this.at = at;
        hi = FieldWriter.firstHi(at);
    }

    long at() {
        return at;
    }

    void level(int level) throws InvalidProtocolBufferException {
        if (level > FieldWriter.LEVEL) {
            throw new JournalFault.Corrupt(
                    "expected format level ≤ " + FieldWriter.LEVEL + ", but found " + level
                            + ": written by a newer format, start a node that knows it",
                    null);
        }
        if (level < 1) {
            throw malformed("format level " + level);
        }
    }

    void addName(String name) {
        names.add(name);
    }

    /** The next tag inside the group of {@code field}, 0 at its end. */
    int next(int field) throws IOException {
        int tag = in.readTag();
        if (tag == (field << 3 | GROUP_END)) {
            return 0;
        }
        if (tag == 0) {
            throw malformed("a message that does not end");
        }
        return tag;
    }

    JobId id(long hiDelta, long loDelta) {
        hi += hiDelta;
        lo += loDelta;
        return new JobId(hi, lo);
    }

    /** Fields of a spec; those kept elsewhere are handed in. */
    SpecParts spec(int field) throws IOException {
        SpecParts spec = new SpecParts();
        for (int tag = next(field); tag != 0; tag = next(field)) {
            switch (tag) {
                case SpecFields.TENANT_FIELD_NUMBER << 3 | VARINT -> spec.tenant = in.readUInt32();
                case SpecFields.TYPE_FIELD_NUMBER << 3 | VARINT -> spec.type = name();
                case SpecFields.POOL_FIELD_NUMBER << 3 | VARINT -> spec.pool = name();
                case SpecFields.PRIORITY_FIELD_NUMBER << 3 | VARINT -> spec.priority = in.readUInt32();
                case SpecFields.PAYLOAD_FIELD_NUMBER << 3 | BYTES -> spec.payload = in.readByteArray();
                case SpecFields.PAYLOAD_TYPE_FIELD_NUMBER << 3 | VARINT -> spec.payloadType = name();
                case SpecFields.PAYLOAD_VERSION_FIELD_NUMBER << 3 | VARINT -> spec.payloadVersion = in.readUInt32();
                case SpecFields.SUBMITTED_AT_FIELD_NUMBER << 3 | VARINT -> spec.submitted = in.readSInt64();
                case SpecFields.RUN_AT_FIELD_NUMBER << 3 | VARINT -> spec.run = in.readSInt64();
                case SpecFields.NOT_AFTER_FIELD_NUMBER << 3 | VARINT -> {
                    spec.notAfter = in.readSInt64();
                    spec.hasNotAfter = true;
                }
                case SpecFields.MAX_ATTEMPTS_FIELD_NUMBER << 3 | VARINT -> spec.maxAttempts = in.readUInt32();
                case SpecFields.TIME_LIMIT_MICROS_FIELD_NUMBER << 3 | VARINT -> spec.timeLimit = in.readUInt64();
                case SpecFields.IDEMPOTENCY_KEY_FIELD_NUMBER << 3 | BYTES -> spec.key = text();
                case SpecFields.BODY_HASH_FIELD_NUMBER << 3 | FIXED64 -> spec.bodyHash = in.readFixed64();
                case SpecFields.TAGS_FIELD_NUMBER << 3 | GROUP ->
                    spec.tags = label(SpecFields.TAGS_FIELD_NUMBER, spec.tags);
                case SpecFields.HEADERS_FIELD_NUMBER << 3 | GROUP ->
                    spec.headers = label(SpecFields.HEADERS_FIELD_NUMBER, spec.headers);
                case SpecFields.TERMS_FIELD_NUMBER << 3 | GROUP -> spec.terms = terms();
                default -> throw unknown("spec", tag);
            }
        }
        return spec;
    }

    JobSpec spec(JobId id, TenantId tenant, String type, byte[] payload, SpecParts parts) {
        long submittedAt = at - parts.submitted;
        return new JobSpec(
                id,
                tenant,
                type,
                parts.pool,
                parts.priority,
                new Payload(payload, parts.payloadType),
                parts.payloadVersion,
                submittedAt,
                submittedAt + parts.run,
                parts.hasNotAfter ? submittedAt + parts.notAfter : 0,
                parts.maxAttempts,
                parts.timeLimit,
                parts.key,
                parts.bodyHash,
                Collections.unmodifiableMap(parts.tags),
                Collections.unmodifiableMap(parts.headers),
                parts.terms);
    }

    private JobTerms terms() throws IOException {
        String lane = JobTerms.DEFAULT_LANE;
        long maxAge = 0;
        String uniqueKey = "";
        String group = "";
        String webhook = "";
        boolean exact = false;
        int revision = 0;
        JobNeeds needs = JobNeeds.NONE;
        boolean degraded = false;
        int field = SpecFields.TERMS_FIELD_NUMBER;
        for (int tag = next(field); tag != 0; tag = next(field)) {
            switch (tag) {
                case TermsFields.LANE_FIELD_NUMBER << 3 | VARINT -> lane = name();
                case TermsFields.MAX_AGE_MICROS_FIELD_NUMBER << 3 | VARINT -> maxAge = in.readUInt64();
                case TermsFields.UNIQUE_KEY_FIELD_NUMBER << 3 | BYTES -> uniqueKey = text();
                case TermsFields.GROUP_FIELD_NUMBER << 3 | VARINT -> group = name();
                case TermsFields.WEBHOOK_FIELD_NUMBER << 3 | VARINT -> webhook = name();
                case TermsFields.EXACT_FIELD_NUMBER << 3 | VARINT -> exact = in.readBool();
                case TermsFields.REVISION_FIELD_NUMBER << 3 | VARINT -> revision = in.readUInt32();
                case TermsFields.NEEDS_FIELD_NUMBER << 3 | GROUP -> needs = needs(TermsFields.NEEDS_FIELD_NUMBER);
                case TermsFields.DEGRADED_FIELD_NUMBER << 3 | VARINT -> degraded = in.readBool();
                default -> throw unknown("job's terms", tag);
            }
        }
        return new JobTerms(lane, maxAge, uniqueKey, group, webhook, exact, revision, needs, degraded).shared();
    }

    JobNeeds needs(int field) throws IOException {
        String fairKey = "";
        String concurrencyKey = "";
        String rateKey = "";
        int rateCost = 1;
        int cpu = 0;
        int memory = 0;
        int gpus = 0;
        List<String> tags = new ArrayList<>();
        for (int tag = next(field); tag != 0; tag = next(field)) {
            switch (tag) {
                case NeedsFields.FAIR_KEY_FIELD_NUMBER << 3 | VARINT -> fairKey = name();
                case NeedsFields.CONCURRENCY_KEY_FIELD_NUMBER << 3 | VARINT -> concurrencyKey = name();
                case NeedsFields.RATE_KEY_FIELD_NUMBER << 3 | VARINT -> rateKey = name();
                case NeedsFields.RATE_COST_FIELD_NUMBER << 3 | VARINT -> rateCost = in.readUInt32() + 1;
                case NeedsFields.CPU_MILLIS_FIELD_NUMBER << 3 | VARINT -> cpu = in.readUInt32();
                case NeedsFields.MEMORY_MIB_FIELD_NUMBER << 3 | VARINT -> memory = in.readUInt32();
                case NeedsFields.GPUS_FIELD_NUMBER << 3 | VARINT -> gpus = in.readUInt32();
                case NeedsFields.TAGS_FIELD_NUMBER << 3 | VARINT -> tags.add(name());
                default -> throw unknown("job's needs", tag);
            }
        }
        Resources demand = new Resources(cpu, memory, gpus);
        return new JobNeeds(fairKey, concurrencyKey, rateKey, rateCost, demand, List.copyOf(tags)).shared();
    }

    private Map<String, String> label(int field, Map<String, String> labels) throws IOException {
        String key = "";
        String value = "";
        for (int tag = next(field); tag != 0; tag = next(field)) {
            switch (tag) {
                case Label.KEY_FIELD_NUMBER << 3 | VARINT -> key = name();
                case Label.VALUE_FIELD_NUMBER << 3 | BYTES -> value = text();
                default -> throw unknown("label", tag);
            }
        }
        Map<String, String> grown = labels.isEmpty() ? new LinkedHashMap<>() : labels;
        grown.put(key, value);
        return grown;
    }

    JobStatus status(int field) throws IOException {
        JobState state = JobState.SCHEDULED;
        int attempt = 0;
        int execution = 0;
        int crashes = 0;
        long ownToken = 0;
        String worker = "";
        long leasedAt = 0;
        long startedAt = 0;
        long dueAt = 0;
        long queuedAt = 0;
        boolean cancelRequested = false;
        long changedAt = at;
        List<Attempt> attempts = List.of();
        JobMarks marks = JobMarks.NONE;
        for (int tag = next(field); tag != 0; tag = next(field)) {
            switch (tag) {
                case StatusFields.STATE_FIELD_NUMBER << 3 | VARINT -> state = of(STATES, "state");
                case StatusFields.ATTEMPT_FIELD_NUMBER << 3 | VARINT -> attempt = in.readUInt32();
                case StatusFields.EXECUTION_FIELD_NUMBER << 3 | VARINT -> execution = in.readUInt32();
                case StatusFields.CRASHES_FIELD_NUMBER << 3 | VARINT -> crashes = in.readUInt32();
                case StatusFields.TOKEN_FIELD_NUMBER << 3 | VARINT -> {
                    token += in.readSInt64();
                    ownToken = token;
                }
                case StatusFields.WORKER_FIELD_NUMBER << 3 | VARINT -> worker = name();
                case StatusFields.LEASED_AT_FIELD_NUMBER << 3 | VARINT -> leasedAt = time();
                case StatusFields.STARTED_AT_FIELD_NUMBER << 3 | VARINT -> startedAt = time();
                case StatusFields.DUE_AT_FIELD_NUMBER << 3 | VARINT -> dueAt = time();
                case StatusFields.QUEUED_AT_FIELD_NUMBER << 3 | VARINT -> queuedAt = time();
                case StatusFields.CANCEL_REQUESTED_FIELD_NUMBER << 3 | VARINT -> cancelRequested = in.readBool();
                case StatusFields.CHANGED_AT_FIELD_NUMBER << 3 | VARINT -> changedAt = time();
                case StatusFields.ATTEMPTS_FIELD_NUMBER << 3 | GROUP -> {
                    attempts = attempts.isEmpty() ? new ArrayList<>() : attempts;
                    attempts.add(attempt());
                }
                case StatusFields.MARKS_FIELD_NUMBER << 3 | GROUP -> marks = marks();
                default -> throw unknown("status", tag);
            }
        }
        return new JobStatus(
                state,
                attempt,
                execution,
                crashes,
                ownToken,
                worker,
                leasedAt,
                startedAt,
                dueAt,
                queuedAt,
                cancelRequested,
                changedAt,
                Collections.unmodifiableList(attempts),
                marks);
    }

    private JobMarks marks() throws IOException {
        boolean paused = false;
        String dependency = "";
        JobMarks.Checkpoint checkpoint = null;
        JobMarks.Replay replay = null;
        int field = StatusFields.MARKS_FIELD_NUMBER;
        for (int tag = next(field); tag != 0; tag = next(field)) {
            switch (tag) {
                case MarksFields.PAUSED_FIELD_NUMBER << 3 | VARINT -> paused = in.readBool();
                case MarksFields.DEPENDENCY_FIELD_NUMBER << 3 | VARINT -> dependency = name();
                case MarksFields.CHECKPOINT_FIELD_NUMBER << 3 | GROUP -> checkpoint = checkpoint();
                case MarksFields.REPLAY_FIELD_NUMBER << 3 | GROUP -> replay = replay();
                default -> throw unknown("job's marks", tag);
            }
        }
        return new JobMarks(paused, dependency, checkpoint, replay).shared();
    }

    private JobMarks.Checkpoint checkpoint() throws IOException {
        String ref = "";
        long bytes = 0;
        long under = 0;
        long savedAt = at;
        int field = MarksFields.CHECKPOINT_FIELD_NUMBER;
        for (int tag = next(field); tag != 0; tag = next(field)) {
            switch (tag) {
                case CheckpointFields.REF_FIELD_NUMBER << 3 | BYTES -> ref = text();
                case CheckpointFields.BYTES_FIELD_NUMBER << 3 | VARINT -> bytes = in.readUInt64();
                case CheckpointFields.TOKEN_FIELD_NUMBER << 3 | VARINT -> under = in.readUInt64();
                case CheckpointFields.SAVED_AT_FIELD_NUMBER << 3 | VARINT -> savedAt = time();
                default -> throw unknown("checkpoint", tag);
            }
        }
        return new JobMarks.Checkpoint(ref, bytes, under, savedAt);
    }

    private JobMarks.Replay replay() throws IOException {
        long replayedAt = at;
        String by = "";
        String why = "";
        int count = 0;
        int field = MarksFields.REPLAY_FIELD_NUMBER;
        for (int tag = next(field); tag != 0; tag = next(field)) {
            switch (tag) {
                case ReplayFields.REPLAYED_AT_FIELD_NUMBER << 3 | VARINT -> replayedAt = time();
                case ReplayFields.BY_FIELD_NUMBER << 3 | VARINT -> by = name();
                case ReplayFields.WHY_FIELD_NUMBER << 3 | VARINT -> why = name();
                case ReplayFields.COUNT_FIELD_NUMBER << 3 | VARINT -> count = in.readUInt32();
                default -> throw unknown("replay", tag);
            }
        }
        return new JobMarks.Replay(replayedAt, by, why, count);
    }

    private Attempt attempt() throws IOException {
        int execution = 0;
        String worker = "";
        long leasedAt = 0;
        long endedAt = 0;
        FailureClass failureClass = FailureClass.APP_ERROR;
        String message = "";
        String detail = "";
        int field = StatusFields.ATTEMPTS_FIELD_NUMBER;
        for (int tag = next(field); tag != 0; tag = next(field)) {
            switch (tag) {
                case AttemptFields.EXECUTION_FIELD_NUMBER << 3 | VARINT -> execution = in.readUInt32();
                case AttemptFields.WORKER_FIELD_NUMBER << 3 | VARINT -> worker = name();
                case AttemptFields.LEASED_AT_FIELD_NUMBER << 3 | VARINT -> leasedAt = time();
                case AttemptFields.ENDED_AT_FIELD_NUMBER << 3 | VARINT -> endedAt = time();
                case AttemptFields.FAILURE_CLASS_FIELD_NUMBER << 3 | VARINT ->
                    failureClass = of(CLASSES, "failure class");
                case AttemptFields.MESSAGE_FIELD_NUMBER << 3 | VARINT -> message = name();
                case AttemptFields.DETAIL_FIELD_NUMBER << 3 | VARINT -> detail = name();
                default -> throw unknown("attempt", tag);
            }
        }
        return new Attempt(execution, worker, leasedAt, endedAt, failureClass, message, detail);
    }

    Failure failure(int field) throws IOException {
        FailureClass failureClass = FailureClass.APP_ERROR;
        String message = "";
        String detail = "";
        long retryAfter = 0;
        String dependency = "";
        String error = "";
        for (int tag = next(field); tag != 0; tag = next(field)) {
            switch (tag) {
                case FailureFields.FAILURE_CLASS_FIELD_NUMBER << 3 | VARINT ->
                    failureClass = of(CLASSES, "failure class");
                case FailureFields.MESSAGE_FIELD_NUMBER << 3 | VARINT -> message = name();
                case FailureFields.DETAIL_FIELD_NUMBER << 3 | BYTES -> detail = text();
                case FailureFields.RETRY_AFTER_MICROS_FIELD_NUMBER << 3 | VARINT -> retryAfter = in.readUInt64();
                case FailureFields.DEPENDENCY_FIELD_NUMBER << 3 | VARINT -> dependency = name();
                case FailureFields.ERROR_FIELD_NUMBER << 3 | VARINT -> error = name();
                default -> throw unknown("failure", tag);
            }
        }
        return new Failure(failureClass, message, detail, retryAfter, dependency, error);
    }

    String name() throws IOException {
        int place = in.readUInt32();
        if (place < 1 || place > names.size()) {
            throw malformed("name " + place + " of " + names.size());
        }
        return names.get(place - 1);
    }

    String text() throws IOException {
        return in.readStringRequireUtf8();
    }

    long time() throws IOException {
        return at - in.readSInt64();
    }

    <E> E of(E[] values, String what) throws IOException {
        int ordinal = in.readUInt32();
        if (ordinal < 0 || ordinal >= values.length) {
            throw malformed(what + " " + ordinal);
        }
        return values[ordinal];
    }

    static InvalidProtocolBufferException unknown(String where, int tag) {
        return malformed(
                "field " + WireFormat.getTagFieldNumber(tag) + " of wire type " + (tag & 7) + " in a " + where);
    }

    static InvalidProtocolBufferException malformed(String found) {
        return new InvalidProtocolBufferException("found " + found);
    }

    /** A spec under construction. */
    static final class SpecParts {
        int tenant;
        String type = "";
        String pool = "";
        int priority;
        byte[] payload = NO_BYTES;
        String payloadType = Payload.JSON;
        int payloadVersion;
        long submitted;
        long run;
        long notAfter;
        boolean hasNotAfter;
        int maxAttempts;
        long timeLimit;
        String key = "";
        long bodyHash;
        Map<String, String> tags = Map.of();
        Map<String, String> headers = Map.of();
        JobTerms terms = JobTerms.NONE;
    }
}
