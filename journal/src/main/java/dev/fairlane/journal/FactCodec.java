package dev.fairlane.journal;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.GroupProgress;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.FieldReader.SpecParts;
import dev.fairlane.journal.stored.Entry;
import dev.fairlane.journal.stored.Turn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The facts of one turn as bytes and back; {@code facts.proto} describes the format. The same facts give the same bytes in every run.
 *
 * <p>An instance keeps its buffers from turn to turn: one per writing thread, not thread-safe. Decoding is static and safe anywhere.
 */
public final class FactCodec {
    /** The format level this code writes, and the newest it reads. */
    public static final int LEVEL = FieldWriter.LEVEL;

    private static final int VARINT = FieldReader.VARINT;
    private static final int BYTES = FieldReader.BYTES;
    private static final int GROUP = FieldReader.GROUP;

    private final FieldWriter writer = new FieldWriter();

    /** @param at the turn's time */
    public record Decoded(long at, List<Fact> facts) {}

    /** The spec that a {@link Fact.JobEnded} may carry is left out. */
    public byte[] encode(List<? extends Fact> facts, long at) {
        writer.begin(at);
        boolean done = false;
        try {
            for (int i = 0; i < facts.size(); i++) {
                write(facts.get(i));
            }
            byte[] bytes = writer.finish(true);
            done = true;
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException("writing into memory failed", e);
        } finally {
            if (!done) {
                writer.abandon();
            }
        }
    }

    private void write(Fact fact) throws IOException {
        writer.open(Turn.FACTS_FIELD_NUMBER);
        switch (fact) {
            case Fact.JobAdded(var spec, var status) -> {
                writer.id(spec.id());
                writer.spec(Entry.SPEC_FIELD_NUMBER, spec);
                writer.status(Entry.STATUS_FIELD_NUMBER, status);
            }
            case Fact.JobRevised(var spec, var status) -> {
                writer.id(spec.id());
                writer.spec(Entry.SPEC_FIELD_NUMBER, spec);
                writer.status(Entry.STATUS_FIELD_NUMBER, status);
                writer.revised();
            }
            case Fact.JobReplayed(var spec, var status) -> {
                writer.id(spec.id());
                writer.spec(Entry.SPEC_FIELD_NUMBER, spec);
                writer.status(Entry.STATUS_FIELD_NUMBER, status);
                writer.replayed();
            }
            case Fact.JobChanged(var id, var status) -> {
                writer.id(id);
                writer.status(Entry.STATUS_FIELD_NUMBER, status);
            }
            case Fact.JobEnded(var id, var status, var result, var failure, var spec) -> {
                writer.id(id);
                writer.status(Entry.STATUS_FIELD_NUMBER, status);
                writer.ended();
                if (result != null) {
                    writer.result(result);
                }
                if (failure != null) {
                    writer.failure(Entry.FAILURE_FIELD_NUMBER, failure);
                }
            }
            case Fact.GateSet(var gate) -> DirectoryCodec.write(writer, gate);
            case Fact.GroupAdded(var group) -> GroupFieldsCodec.write(writer, group);
            case Fact.GroupChanged(var id, var progress) -> {
                writer.id(id);
                GroupFieldsCodec.write(writer, progress);
            }
            case Fact.ScheduleSet(var schedule) -> ScheduleCodec.write(writer, schedule);
            case Fact.ScheduleMoved(var id, var progress) -> ScheduleCodec.write(writer, id, progress);
            case Fact.ScheduleGone(var id, var at) -> ScheduleCodec.writeGone(writer, id, at);
            case Fact.TenantSet(var tenant) -> DirectoryCodec.write(writer, tenant);
            case Fact.TypeSet(var type) -> DirectoryCodec.write(writer, type);
            case Fact.Audited(var entry) -> AuditFieldsCodec.write(writer, entry);
        }
        writer.shut(Turn.FACTS_FIELD_NUMBER);
    }

    /** @throws JournalFault.Corrupt when the bytes are not a turn of a level this code knows */
    public static Decoded decode(byte[] bytes) {
        FieldReader reader = new FieldReader(bytes);
        List<Fact> facts = new ArrayList<>();
        try {
            boolean level = false;
            for (int tag = reader.in.readTag(); tag != 0; tag = reader.in.readTag()) {
                switch (tag) {
                    case Turn.LEVEL_FIELD_NUMBER << 3 | VARINT -> {
                        reader.level(reader.in.readUInt32());
                        level = true;
                    }
                    case Turn.AT_FIELD_NUMBER << 3 | FieldReader.FIXED64 -> reader.base(reader.in.readSFixed64());
                    case Turn.NAMES_FIELD_NUMBER << 3 | BYTES -> reader.addName(reader.text());
                    case Turn.FACTS_FIELD_NUMBER << 3 | GROUP -> facts.add(fact(reader));
                    default -> throw FieldReader.unknown("turn", tag);
                }
            }
            if (!level) {
                throw FieldReader.malformed("no format level");
            }
        } catch (IOException e) {
            throw new JournalFault.Corrupt(
                    "expected the facts of a turn, but " + e.getMessage() + " near byte "
                            + reader.in.getTotalBytesRead() + " of " + bytes.length,
                    e);
        }
        return new Decoded(reader.at(), facts);
    }

    private static Fact fact(FieldReader reader) throws IOException {
        long hi = 0;
        long lo = 0;
        SpecParts spec = null;
        JobStatus status = null;
        boolean ended = false;
        boolean revised = false;
        boolean replayed = false;
        byte[] result = null;
        String resultType = Payload.JSON;
        Failure failure = null;
        Fact other = null;
        GroupFieldsCodec.Parts group = null;
        GroupProgress progress = null;
        ScheduleCodec.Parts schedule = null;
        int field = Turn.FACTS_FIELD_NUMBER;
        for (int tag = reader.next(field); tag != 0; tag = reader.next(field)) {
            switch (tag) {
                case Entry.ID_HI_FIELD_NUMBER << 3 | VARINT -> hi = reader.in.readSInt64();
                case Entry.ID_LO_FIELD_NUMBER << 3 | VARINT -> lo = reader.in.readSInt64();
                case Entry.SPEC_FIELD_NUMBER << 3 | GROUP -> spec = reader.spec(Entry.SPEC_FIELD_NUMBER);
                case Entry.STATUS_FIELD_NUMBER << 3 | GROUP -> status = reader.status(Entry.STATUS_FIELD_NUMBER);
                case Entry.ENDED_FIELD_NUMBER << 3 | VARINT -> ended = reader.in.readBool();
                case Entry.REVISED_FIELD_NUMBER << 3 | VARINT -> revised = reader.in.readBool();
                case Entry.REPLAYED_FIELD_NUMBER << 3 | VARINT -> replayed = reader.in.readBool();
                case Entry.RESULT_FIELD_NUMBER << 3 | BYTES -> result = reader.in.readByteArray();
                case Entry.RESULT_TYPE_FIELD_NUMBER << 3 | VARINT -> resultType = reader.name();
                case Entry.FAILURE_FIELD_NUMBER << 3 | GROUP -> failure = reader.failure(Entry.FAILURE_FIELD_NUMBER);
                case Entry.GATE_FIELD_NUMBER << 3 | GROUP ->
                    other = new Fact.GateSet(DirectoryCodec.gate(reader, Entry.GATE_FIELD_NUMBER));
                case Entry.GROUP_FIELD_NUMBER << 3 | GROUP ->
                    group = GroupFieldsCodec.group(reader, Entry.GROUP_FIELD_NUMBER);
                case Entry.PROGRESS_FIELD_NUMBER << 3 | GROUP ->
                    progress = GroupFieldsCodec.progress(reader, Entry.PROGRESS_FIELD_NUMBER);
                case Entry.SCHEDULE_KEY_FIELD_NUMBER << 3 | GROUP -> schedule = ScheduleCodec.key(reader);
                case Entry.SCHEDULE_FIELD_NUMBER << 3 | GROUP ->
                    ScheduleCodec.of(schedule).definition(reader);
                case Entry.TICKS_FIELD_NUMBER << 3 | GROUP ->
                    ScheduleCodec.of(schedule).progress(reader);
                case Entry.TENANT_FIELD_NUMBER << 3 | GROUP ->
                    other = new Fact.TenantSet(DirectoryCodec.tenant(reader, Entry.TENANT_FIELD_NUMBER));
                case Entry.TYPE_FIELD_NUMBER << 3 | GROUP ->
                    other = new Fact.TypeSet(DirectoryCodec.type(reader, Entry.TYPE_FIELD_NUMBER));
                case Entry.AUDIT_FIELD_NUMBER << 3 | GROUP ->
                    other = new Fact.Audited(AuditFieldsCodec.read(reader, Entry.AUDIT_FIELD_NUMBER));
                default -> throw FieldReader.unknown("fact", tag);
            }
        }
        if (other != null) {
            return other;
        }
        if (schedule != null) {
            return schedule.fact();
        }
        if (progress != null) {
            JobId id = reader.id(hi, lo);
            return group == null
                    ? new Fact.GroupChanged(id, progress)
                    : new Fact.GroupAdded(group.with(reader, id, progress));
        }
        if (status == null) {
            throw FieldReader.malformed("a fact that says nothing");
        }
        Fact fact = job(reader, reader.id(hi, lo), spec, status, revised, ended, payload(result, resultType), failure);
        if (!replayed) {
            return fact;
        }
        if (fact instanceof Fact.JobAdded added) {
            return new Fact.JobReplayed(added.spec(), added.status());
        }
        throw FieldReader.malformed("a replay without a spec");
    }

    private static Fact job(
            FieldReader reader,
            JobId id,
            @Nullable SpecParts spec,
            JobStatus status,
            boolean revised,
            boolean ended,
            @Nullable Payload result,
            @Nullable Failure failure) {
        if (spec != null) {
            TenantId tenant = new TenantId(spec.tenant);
            JobSpec whole = reader.spec(id, tenant, spec.type, spec.payload, spec);
            return revised ? new Fact.JobRevised(whole, status) : new Fact.JobAdded(whole, status);
        }
        return ended ? new Fact.JobEnded(id, status, result, failure, null) : new Fact.JobChanged(id, status);
    }

    static @Nullable Payload payload(byte @Nullable [] bytes, String contentType) {
        return bytes == null ? null : new Payload(bytes, contentType);
    }
}
