package dev.fairlane.journal;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.fairlane.core.model.Attempt;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobMarks;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.Payload;
import dev.fairlane.journal.stored.AttemptFields;
import dev.fairlane.journal.stored.CheckpointFields;
import dev.fairlane.journal.stored.Entry;
import dev.fairlane.journal.stored.FailureFields;
import dev.fairlane.journal.stored.Label;
import dev.fairlane.journal.stored.MarksFields;
import dev.fairlane.journal.stored.NeedsFields;
import dev.fairlane.journal.stored.ReplayFields;
import dev.fairlane.journal.stored.Row;
import dev.fairlane.journal.stored.SpecFields;
import dev.fairlane.journal.stored.StatusFields;
import dev.fairlane.journal.stored.TermsFields;
import dev.fairlane.journal.stored.Turn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes the messages of {@code facts.proto} in one pass, without the generated builders and their objects. Field numbers come from the
 * generated classes, so that format and writer cannot drift apart.
 *
 * <p>Fields go to one buffer and the names they refer to are gathered; {@link #finish} puts header and names in front. Kept and
 * reused by one thread.
 */
final class FieldWriter {
    /** The format level written, and the newest that is read. */
    static final int LEVEL = 1;

    private static final int BUFFER = 8192;

    /** A turn with many different names must not leave a large table behind for all the turns after it. */
    private static final int NAMES_KEPT = 4096;

    private static final int LOOKED_THROUGH = 16;

    private final Growing fieldBytes = new Growing();
    private final CodedOutputStream out = CodedOutputStream.newInstance(fieldBytes, BUFFER);
    private final Growing headBytes = new Growing();
    private final CodedOutputStream head = CodedOutputStream.newInstance(headBytes, BUFFER);
    /** Of names beyond the first {@link #LOOKED_THROUGH}: a row has a handful, a turn of many tenants thousands. */
    private Map<String, Integer> places = new HashMap<>();

    private final List<String> names = new ArrayList<>();
    private long at;
    private long hi;
    private long lo;
    private long token;

    /** @param at base of the times that follow */
    void begin(long at) {
        this.at = at;
        hi = firstHi(at);
        lo = 0;
        token = 0;
        if (names.size() > NAMES_KEPT) {
            places = new HashMap<>();
        } else if (!places.isEmpty()) {
            places.clear();
        }
        names.clear();
        fieldBytes.clear();
        headBytes.clear();
    }

    /** High half of the id from which the first one of a turn is measured. */
    static long firstHi(long at) {
        return at / 1000 << 16 | 7L << 12;
    }

    /** Header, names, then what was written since {@link #begin}. */
    byte[] finish(boolean withTime) throws IOException {
        head.writeUInt32(Turn.LEVEL_FIELD_NUMBER, LEVEL);
        if (withTime) {
            head.writeSFixed64(Turn.AT_FIELD_NUMBER, at);
        }
        for (String name : names) {
            head.writeString(Turn.NAMES_FIELD_NUMBER, name);
        }
        head.flush();
        out.flush();
        byte[] bytes = new byte[headBytes.length + fieldBytes.length];
        System.arraycopy(headBytes.bytes, 0, bytes, 0, headBytes.length);
        System.arraycopy(fieldBytes.bytes, 0, bytes, headBytes.length, fieldBytes.length);
        return bytes;
    }

    /** After a throw: what was half written is lost, the writer is good again. */
    void abandon() {
        try {
            out.flush();
            head.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("writing into memory failed", e);
        }
    }

    void open(int field) throws IOException {
        out.writeTag(field, WireFormat.WIRETYPE_START_GROUP);
    }

    void shut(int field) throws IOException {
        out.writeTag(field, WireFormat.WIRETYPE_END_GROUP);
    }

    void id(JobId id) throws IOException {
        signed(Entry.ID_HI_FIELD_NUMBER, id.hi() - hi);
        signed(Entry.ID_LO_FIELD_NUMBER, id.lo() - lo);
        hi = id.hi();
        lo = id.lo();
    }

    void replayed() throws IOException {
        out.writeBool(Entry.REPLAYED_FIELD_NUMBER, true);
    }

    void ended() throws IOException {
        out.writeBool(Entry.ENDED_FIELD_NUMBER, true);
    }

    void revised() throws IOException {
        out.writeBool(Entry.REVISED_FIELD_NUMBER, true);
    }

    void result(Payload result) throws IOException {
        out.writeByteArray(Entry.RESULT_FIELD_NUMBER, result.bytes());
        contentType(Entry.RESULT_TYPE_FIELD_NUMBER, result.contentType());
    }

    void rowResult(Payload result) throws IOException {
        out.writeByteArray(Row.RESULT_FIELD_NUMBER, result.bytes());
        contentType(Row.RESULT_TYPE_FIELD_NUMBER, result.contentType());
    }

    void spec(int field, JobSpec spec) throws IOException {
        open(field);
        number(SpecFields.TENANT_FIELD_NUMBER, spec.tenant().number());
        name(SpecFields.TYPE_FIELD_NUMBER, spec.type());
        if (spec.payload().bytes().length > 0) {
            out.writeByteArray(SpecFields.PAYLOAD_FIELD_NUMBER, spec.payload().bytes());
        }
        specRest(spec);
        shut(field);
    }

    void specExtras(int field, JobSpec spec) throws IOException {
        open(field);
        specRest(spec);
        shut(field);
    }

    private void specRest(JobSpec spec) throws IOException {
        name(SpecFields.POOL_FIELD_NUMBER, spec.pool());
        number(SpecFields.PRIORITY_FIELD_NUMBER, spec.priority());
        contentType(SpecFields.PAYLOAD_TYPE_FIELD_NUMBER, spec.payload().contentType());
        number(SpecFields.PAYLOAD_VERSION_FIELD_NUMBER, spec.payloadVersion());
        signed(SpecFields.SUBMITTED_AT_FIELD_NUMBER, at - spec.submittedAt());
        signed(SpecFields.RUN_AT_FIELD_NUMBER, spec.runAt() - spec.submittedAt());
        if (spec.notAfter() != 0) {
            out.writeSInt64(SpecFields.NOT_AFTER_FIELD_NUMBER, spec.notAfter() - spec.submittedAt());
        }
        number(SpecFields.MAX_ATTEMPTS_FIELD_NUMBER, spec.maxAttempts());
        longNumber(SpecFields.TIME_LIMIT_MICROS_FIELD_NUMBER, spec.timeLimitMicros());
        text(SpecFields.IDEMPOTENCY_KEY_FIELD_NUMBER, spec.idempotencyKey());
        if (spec.bodyHash() != 0) {
            out.writeFixed64(SpecFields.BODY_HASH_FIELD_NUMBER, spec.bodyHash());
        }
        labels(SpecFields.TAGS_FIELD_NUMBER, spec.tags());
        labels(SpecFields.HEADERS_FIELD_NUMBER, spec.headers());
        if (spec.terms() != JobTerms.NONE) {
            terms(spec.terms());
        }
    }

    private void terms(JobTerms terms) throws IOException {
        open(SpecFields.TERMS_FIELD_NUMBER);
        if (!terms.lane().equals(JobTerms.DEFAULT_LANE)) {
            name(TermsFields.LANE_FIELD_NUMBER, terms.lane());
        }
        longNumber(TermsFields.MAX_AGE_MICROS_FIELD_NUMBER, terms.maxAgeMicros());
        text(TermsFields.UNIQUE_KEY_FIELD_NUMBER, terms.uniqueKey());
        name(TermsFields.GROUP_FIELD_NUMBER, terms.group());
        name(TermsFields.WEBHOOK_FIELD_NUMBER, terms.webhook());
        flag(TermsFields.EXACT_FIELD_NUMBER, terms.exact());
        number(TermsFields.REVISION_FIELD_NUMBER, terms.revision());
        needs(TermsFields.NEEDS_FIELD_NUMBER, terms.needs());
        flag(TermsFields.DEGRADED_FIELD_NUMBER, terms.degraded());
        shut(SpecFields.TERMS_FIELD_NUMBER);
    }

    void status(int field, JobStatus status) throws IOException {
        open(field);
        number(StatusFields.STATE_FIELD_NUMBER, status.state().ordinal());
        number(StatusFields.ATTEMPT_FIELD_NUMBER, status.attempt());
        number(StatusFields.EXECUTION_FIELD_NUMBER, status.execution());
        number(StatusFields.CRASHES_FIELD_NUMBER, status.crashes());
        if (status.token() != 0) {
            out.writeSInt64(StatusFields.TOKEN_FIELD_NUMBER, status.token() - token);
            token = status.token();
        }
        name(StatusFields.WORKER_FIELD_NUMBER, status.worker());
        time(StatusFields.LEASED_AT_FIELD_NUMBER, status.leasedAt());
        time(StatusFields.STARTED_AT_FIELD_NUMBER, status.startedAt());
        time(StatusFields.DUE_AT_FIELD_NUMBER, status.dueAt());
        time(StatusFields.QUEUED_AT_FIELD_NUMBER, status.queuedAt());
        flag(StatusFields.CANCEL_REQUESTED_FIELD_NUMBER, status.cancelRequested());
        signed(StatusFields.CHANGED_AT_FIELD_NUMBER, at - status.changedAt());
        List<Attempt> attempts = status.attempts();
        for (int i = 0; i < attempts.size(); i++) {
            attempt(attempts.get(i));
        }
        if (status.marks() != JobMarks.NONE) {
            marks(status.marks());
        }
        shut(field);
    }

    private void marks(JobMarks marks) throws IOException {
        open(StatusFields.MARKS_FIELD_NUMBER);
        flag(MarksFields.PAUSED_FIELD_NUMBER, marks.paused());
        name(MarksFields.DEPENDENCY_FIELD_NUMBER, marks.dependency());
        JobMarks.Checkpoint checkpoint = marks.checkpoint();
        if (checkpoint != null) {
            open(MarksFields.CHECKPOINT_FIELD_NUMBER);
            text(CheckpointFields.REF_FIELD_NUMBER, checkpoint.ref());
            longNumber(CheckpointFields.BYTES_FIELD_NUMBER, checkpoint.bytes());
            longNumber(CheckpointFields.TOKEN_FIELD_NUMBER, checkpoint.token());
            signed(CheckpointFields.SAVED_AT_FIELD_NUMBER, at - checkpoint.savedAt());
            shut(MarksFields.CHECKPOINT_FIELD_NUMBER);
        }
        JobMarks.Replay replay = marks.replay();
        if (replay != null) {
            open(MarksFields.REPLAY_FIELD_NUMBER);
            signed(ReplayFields.REPLAYED_AT_FIELD_NUMBER, at - replay.replayedAt());
            name(ReplayFields.BY_FIELD_NUMBER, replay.by());
            name(ReplayFields.WHY_FIELD_NUMBER, replay.why());
            number(ReplayFields.COUNT_FIELD_NUMBER, replay.count());
            shut(MarksFields.REPLAY_FIELD_NUMBER);
        }
        shut(StatusFields.MARKS_FIELD_NUMBER);
    }

    private void attempt(Attempt attempt) throws IOException {
        open(StatusFields.ATTEMPTS_FIELD_NUMBER);
        number(AttemptFields.EXECUTION_FIELD_NUMBER, attempt.execution());
        name(AttemptFields.WORKER_FIELD_NUMBER, attempt.worker());
        time(AttemptFields.LEASED_AT_FIELD_NUMBER, attempt.leasedAt());
        time(AttemptFields.ENDED_AT_FIELD_NUMBER, attempt.endedAt());
        number(AttemptFields.FAILURE_CLASS_FIELD_NUMBER, attempt.failureClass().ordinal());
        name(AttemptFields.MESSAGE_FIELD_NUMBER, attempt.message());
        name(AttemptFields.DETAIL_FIELD_NUMBER, attempt.detail());
        shut(StatusFields.ATTEMPTS_FIELD_NUMBER);
    }

    void failure(int field, Failure failure) throws IOException {
        open(field);
        number(FailureFields.FAILURE_CLASS_FIELD_NUMBER, failure.failureClass().ordinal());
        name(FailureFields.MESSAGE_FIELD_NUMBER, failure.message());
        text(FailureFields.DETAIL_FIELD_NUMBER, failure.detail());
        longNumber(FailureFields.RETRY_AFTER_MICROS_FIELD_NUMBER, failure.retryAfterMicros());
        name(FailureFields.DEPENDENCY_FIELD_NUMBER, failure.dependency());
        name(FailureFields.ERROR_FIELD_NUMBER, failure.error());
        shut(field);
    }

    /** Because the iteration order of the JDK's small maps differs from run to run and the same facts must give the same bytes. */
    static List<String> sorted(Map<String, ?> map) {
        List<String> keys = new ArrayList<>(map.keySet());
        keys.sort(null);
        return keys;
    }

    void needs(int field, JobNeeds needs) throws IOException {
        if (needs.equals(JobNeeds.NONE)) {
            return;
        }
        open(field);
        name(NeedsFields.FAIR_KEY_FIELD_NUMBER, needs.fairKey());
        name(NeedsFields.CONCURRENCY_KEY_FIELD_NUMBER, needs.concurrencyKey());
        name(NeedsFields.RATE_KEY_FIELD_NUMBER, needs.rateKey());
        number(NeedsFields.RATE_COST_FIELD_NUMBER, needs.rateCost() - 1);
        number(NeedsFields.CPU_MILLIS_FIELD_NUMBER, needs.demand().cpuMillis());
        number(NeedsFields.MEMORY_MIB_FIELD_NUMBER, needs.demand().memoryMib());
        number(NeedsFields.GPUS_FIELD_NUMBER, needs.demand().gpus());
        for (String tag : needs.tags()) {
            name(NeedsFields.TAGS_FIELD_NUMBER, tag);
        }
        shut(field);
    }

    private void labels(int field, Map<String, String> labels) throws IOException {
        if (labels.isEmpty()) {
            return;
        }
        for (String key : sorted(labels)) {
            open(field);
            name(Label.KEY_FIELD_NUMBER, key);
            text(Label.VALUE_FIELD_NUMBER, labels.getOrDefault(key, ""));
            shut(field);
        }
    }

    void name(int field, String name) throws IOException {
        if (!name.isEmpty()) {
            out.writeUInt32(field, place(name));
        }
    }

    private void contentType(int field, String contentType) throws IOException {
        if (!contentType.equals(Payload.JSON)) {
            out.writeUInt32(field, place(contentType));
        }
    }

    private int place(String name) {
        int looked = Math.min(names.size(), LOOKED_THROUGH);
        for (int i = 0; i < looked; i++) {
            if (names.get(i).equals(name)) {
                return i + 1;
            }
        }
        if (looked == LOOKED_THROUGH) {
            Integer known = places.putIfAbsent(name, names.size() + 1);
            if (known != null) {
                return known;
            }
        }
        names.add(name);
        return names.size();
    }

    void time(int field, long time) throws IOException {
        if (time != 0) {
            out.writeSInt64(field, at - time);
        }
    }

    void fixed(int field, long value) throws IOException {
        out.writeFixed64(field, value);
    }

    void flag(int field, boolean value) throws IOException {
        if (value) {
            out.writeBool(field, true);
        }
    }

    void number(int field, int value) throws IOException {
        if (value != 0) {
            out.writeUInt32(field, value);
        }
    }

    void longNumber(int field, long value) throws IOException {
        if (value != 0) {
            out.writeUInt64(field, value);
        }
    }

    /** A time that may be 0; nothing is written where it is the base. */
    void moment(int field, long time) throws IOException {
        signed(field, at - time);
    }

    /** One of a list: 0 is written too. */
    void listed(int field, long value) throws IOException {
        out.writeUInt64(field, value);
    }

    void fraction(int field, double value) throws IOException {
        out.writeDouble(field, value);
    }

    private void signed(int field, long value) throws IOException {
        if (value != 0) {
            out.writeSInt64(field, value);
        }
    }

    void text(int field, String text) throws IOException {
        if (!text.isEmpty()) {
            out.writeString(field, text);
        }
    }
}
