package dev.fairlane.journal;

import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleProgress;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.TenantRules;
import dev.fairlane.core.model.TypeRules;
import dev.fairlane.journal.FieldReader.SpecParts;
import dev.fairlane.journal.stored.Row;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a stored job that nobody filters on, as compact bytes ({@code Row} in {@code facts.proto}).
 *
 * <p>Encoders keep their buffers: one instance per writing thread, not thread-safe. Decoders are static and safe anywhere; bytes they
 * cannot read are {@link JournalFault.Corrupt}.
 */
public final class RowCodec {
    private static final byte[] NOTHING = {};
    private static final int VARINT = FieldReader.VARINT;
    private static final int BYTES = FieldReader.BYTES;
    private static final int GROUP = FieldReader.GROUP;

    private final FieldWriter writer = new FieldWriter();

    /** How a job ended. */
    public record Ending(@Nullable Payload result, @Nullable Failure failure) {}

    /** Everything of the spec but id, tenant, type and the payload's bytes (its content type is in). */
    public byte[] encodeSpecExtras(JobSpec spec) {
        return encode(idTime(spec.id()), false, () -> writer.specExtras(Row.SPEC_FIELD_NUMBER, spec));
    }

    /** The whole status with its attempts. */
    public byte[] encodeStatus(JobStatus status) {
        return encode(status.changedAt(), true, () -> writer.status(Row.STATUS_FIELD_NUMBER, status));
    }

    /** Result and failure in one; no bytes at all when there is neither. */
    public byte[] encodeEnding(@Nullable Payload result, @Nullable Failure failure) {
        if (result == null && failure == null) {
            return NOTHING;
        }
        return encode(0, false, () -> {
            if (result != null) {
                writer.rowResult(result);
            }
            if (failure != null) {
                writer.failure(Row.FAILURE_FIELD_NUMBER, failure);
            }
        });
    }

    /** The rules of a job type; no bytes at all when it has none. */
    public byte[] encodeRules(TypeRules rules) {
        return rules.equals(TypeRules.NONE)
                ? NOTHING
                : encode(0, false, () -> DirectoryCodec.write(writer, Row.RULES_FIELD_NUMBER, rules));
    }

    /** The rules of a tenant; no bytes at all when it has none. */
    public byte[] encodeTenantRules(TenantRules rules) {
        return rules.equals(TenantRules.NONE)
                ? NOTHING
                : encode(0, false, () -> DirectoryCodec.write(writer, Row.TENANT_RULES_FIELD_NUMBER, rules));
    }

    /** The inverse of {@link #encodeTenantRules}. */
    public static TenantRules decodeTenantRules(byte[] bytes) {
        return bytes.length == 0 ? TenantRules.NONE : decode(bytes, 0).tenantRules;
    }

    /** The inverse of {@link #encodeRules}. */
    public static TypeRules decodeRules(byte[] bytes) {
        return bytes.length == 0 ? TypeRules.NONE : decode(bytes, 0).rules;
    }

    /** All of a schedule but its name and how far it is. */
    public byte[] encodeSchedule(Schedule schedule) {
        return encode(
                schedule.createdAt(),
                true,
                () -> ScheduleCodec.definition(writer, Row.SCHEDULE_FIELD_NUMBER, schedule));
    }

    /** How far a schedule is. */
    public byte[] encodeTicks(ScheduleProgress progress) {
        return encode(
                progress.changedAt(), true, () -> ScheduleCodec.progress(writer, Row.TICKS_FIELD_NUMBER, progress));
    }

    /** The inverse of {@link #encodeSchedule} and {@link #encodeTicks}. */
    public static Schedule decodeSchedule(ScheduleName id, byte[] definition, byte[] ticks) {
        ScheduleCodec.Definition found = decode(definition, 0).schedule;
        ScheduleProgress progress = decode(ticks, 0).ticks;
        if (found == null || progress == null) {
            throw new JournalFault.Corrupt("expected a stored schedule " + id + ", but found something else", null);
        }
        return found.with(id, progress);
    }

    /**
     * @param payload the payload's bytes, or none to leave it in the store
     * @param extras from {@link #encodeSpecExtras}
     */
    public static JobSpec decodeSpec(JobId id, TenantId tenant, String type, byte[] payload, byte[] extras) {
        Parts parts = decode(extras, idTime(id));
        if (parts.spec == null) {
            throw new JournalFault.Corrupt("expected a stored spec of job " + id + ", but found something else", null);
        }
        return parts.reader.spec(id, tenant, type, payload, parts.spec);
    }

    /** The inverse of {@link #encodeStatus}. */
    public static JobStatus decodeStatus(byte[] bytes) {
        JobStatus status = decode(bytes, 0).status;
        if (status == null) {
            throw new JournalFault.Corrupt("expected a stored status, but found something else", null);
        }
        return status;
    }

    /** The inverse of {@link #encodeEnding}. */
    public static Ending decodeEnding(byte[] bytes) {
        if (bytes.length == 0) {
            return new Ending(null, null);
        }
        Parts parts = decode(bytes, 0);
        return new Ending(FactCodec.payload(parts.result, parts.resultType), parts.failure);
    }

    private static long idTime(JobId id) {
        return id.millis() * 1000;
    }

    private byte[] encode(long at, boolean withTime, Fields fields) {
        writer.begin(at);
        boolean done = false;
        try {
            fields.write();
            byte[] bytes = writer.finish(withTime);
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

    private static Parts decode(byte[] bytes, long at) {
        FieldReader reader = new FieldReader(bytes);
        Parts parts = new Parts(reader);
        reader.base(at);
        try {
            boolean level = false;
            for (int tag = reader.in.readTag(); tag != 0; tag = reader.in.readTag()) {
                switch (tag) {
                    case Row.LEVEL_FIELD_NUMBER << 3 | VARINT -> {
                        reader.level(reader.in.readUInt32());
                        level = true;
                    }
                    case Row.AT_FIELD_NUMBER << 3 | FieldReader.FIXED64 -> reader.base(reader.in.readSFixed64());
                    case Row.NAMES_FIELD_NUMBER << 3 | BYTES -> reader.addName(reader.text());
                    case Row.SPEC_FIELD_NUMBER << 3 | GROUP -> parts.spec = reader.spec(Row.SPEC_FIELD_NUMBER);
                    case Row.STATUS_FIELD_NUMBER << 3 | GROUP -> parts.status = reader.status(Row.STATUS_FIELD_NUMBER);
                    case Row.RESULT_FIELD_NUMBER << 3 | BYTES -> parts.result = reader.in.readByteArray();
                    case Row.RESULT_TYPE_FIELD_NUMBER << 3 | VARINT -> parts.resultType = reader.name();
                    case Row.FAILURE_FIELD_NUMBER << 3 | GROUP ->
                        parts.failure = reader.failure(Row.FAILURE_FIELD_NUMBER);
                    case Row.RULES_FIELD_NUMBER << 3 | GROUP ->
                        parts.rules = RulesReader.read(reader, Row.RULES_FIELD_NUMBER);
                    case Row.TENANT_RULES_FIELD_NUMBER << 3 | GROUP ->
                        parts.tenantRules = TenantRulesReader.read(reader, Row.TENANT_RULES_FIELD_NUMBER);
                    case Row.SCHEDULE_FIELD_NUMBER << 3 | GROUP ->
                        parts.schedule = ScheduleCodec.definition(reader, Row.SCHEDULE_FIELD_NUMBER);
                    case Row.TICKS_FIELD_NUMBER << 3 | GROUP ->
                        parts.ticks = ScheduleCodec.progress(reader, Row.TICKS_FIELD_NUMBER);
                    default -> throw FieldReader.unknown("row", tag);
                }
            }
            if (!level) {
                throw FieldReader.malformed("no format level");
            }
        } catch (IOException e) {
            throw new JournalFault.Corrupt("expected a stored row, but " + e.getMessage(), e);
        }
        return parts;
    }

    @FunctionalInterface
    private interface Fields {
        void write() throws IOException;
    }

    private static final class Parts {
        final FieldReader reader;

        @Nullable SpecParts spec;

        @Nullable JobStatus status;

        byte @Nullable [] result;
        String resultType = Payload.JSON;

        @Nullable Failure failure;

        TypeRules rules = TypeRules.NONE;

        TenantRules tenantRules = TenantRules.NONE;

        ScheduleCodec.@Nullable Definition schedule;

        @Nullable ScheduleProgress ticks;

        Parts(FieldReader reader) {
            this.reader = reader;
        }
    }
}
