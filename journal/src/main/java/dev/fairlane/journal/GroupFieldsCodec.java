package dev.fairlane.journal;

import static dev.fairlane.journal.FieldReader.BYTES;
import static dev.fairlane.journal.FieldReader.FIXED64;
import static dev.fairlane.journal.FieldReader.GROUP;
import static dev.fairlane.journal.FieldReader.VARINT;

import dev.fairlane.core.model.GroupProgress;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.FieldReader.SpecParts;
import dev.fairlane.journal.stored.Entry;
import dev.fairlane.journal.stored.GroupFields;
import dev.fairlane.journal.stored.ProgressFields;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Groups of jobs as fields and back. */
final class GroupFieldsCodec {
    private GroupFieldsCodec() {}

    static void write(FieldWriter writer, JobGroup group) throws IOException {
        writer.id(group.id());
        int field = Entry.GROUP_FIELD_NUMBER;
        writer.open(field);
        writer.number(GroupFields.TENANT_FIELD_NUMBER, group.tenant().number());
        writer.text(GroupFields.NAME_FIELD_NUMBER, group.name());
        writer.number(GroupFields.CALLBACK_ON_FIELD_NUMBER, group.callbackOn().ordinal());
        if (group.callback() != null) {
            writer.spec(GroupFields.CALLBACK_FIELD_NUMBER, group.callback());
        }
        writer.time(GroupFields.CREATED_AT_FIELD_NUMBER, group.createdAt());
        writer.shut(field);
        write(writer, group.progress());
    }

    static void write(FieldWriter writer, GroupProgress progress) throws IOException {
        int field = Entry.PROGRESS_FIELD_NUMBER;
        writer.open(field);
        writer.number(ProgressFields.STATE_FIELD_NUMBER, progress.state().ordinal());
        writer.number(ProgressFields.TOTAL_FIELD_NUMBER, progress.total());
        writer.number(ProgressFields.SUCCEEDED_FIELD_NUMBER, progress.succeeded());
        writer.number(ProgressFields.DEAD_FIELD_NUMBER, progress.dead());
        writer.number(ProgressFields.CANCELLED_FIELD_NUMBER, progress.cancelled());
        writer.number(ProgressFields.EXPIRED_FIELD_NUMBER, progress.expired());
        JobId callback = progress.callbackJob();
        if (callback != null) {
            writer.fixed(ProgressFields.CALLBACK_HI_FIELD_NUMBER, callback.hi());
            writer.fixed(ProgressFields.CALLBACK_LO_FIELD_NUMBER, callback.lo());
        }
        writer.time(ProgressFields.CHANGED_AT_FIELD_NUMBER, progress.changedAt());
        writer.time(ProgressFields.DONE_AT_FIELD_NUMBER, progress.doneAt());
        writer.shut(field);
    }

    /** What stands of a group beside its id and progress. */
    record Parts(
            int tenant,
            String name,
            JobGroup.CallbackOn on,
            @Nullable SpecParts callback,
            long createdAt) {
        JobGroup with(FieldReader reader, JobId id, GroupProgress progress) {
            TenantId owner = new TenantId(tenant);
            JobSpec spec = callback == null ? null : reader.spec(id, owner, callback.type, callback.payload, callback);
            return new JobGroup(id, owner, name, on, spec, createdAt, progress);
        }
    }

    static Parts group(FieldReader reader, int field) throws IOException {
        int tenant = 0;
        String name = "";
        int on = 0;
        SpecParts callback = null;
        long createdAt = 0;
        for (int tag = reader.next(field); tag != 0; tag = reader.next(field)) {
            switch (tag) {
                case GroupFields.TENANT_FIELD_NUMBER << 3 | VARINT -> tenant = reader.in.readUInt32();
                case GroupFields.NAME_FIELD_NUMBER << 3 | BYTES -> name = reader.text();
                case GroupFields.CALLBACK_ON_FIELD_NUMBER << 3 | VARINT -> on = reader.in.readUInt32();
                case GroupFields.CALLBACK_FIELD_NUMBER << 3 | GROUP ->
                    callback = reader.spec(GroupFields.CALLBACK_FIELD_NUMBER);
                case GroupFields.CREATED_AT_FIELD_NUMBER << 3 | VARINT -> createdAt = reader.time();
                default -> throw FieldReader.unknown("group", tag);
            }
        }
        if (on < 0 || on >= JobGroup.CallbackOn.values().length) {
            throw FieldReader.malformed("a callback on " + on);
        }
        return new Parts(tenant, name, JobGroup.CallbackOn.of(on), callback, createdAt);
    }

    static GroupProgress progress(FieldReader reader, int field) throws IOException {
        int state = 0;
        int total = 0;
        int succeeded = 0;
        int dead = 0;
        int cancelled = 0;
        int expired = 0;
        long hi = 0;
        long lo = 0;
        long changedAt = 0;
        long doneAt = 0;
        for (int tag = reader.next(field); tag != 0; tag = reader.next(field)) {
            switch (tag) {
                case ProgressFields.STATE_FIELD_NUMBER << 3 | VARINT -> state = reader.in.readUInt32();
                case ProgressFields.TOTAL_FIELD_NUMBER << 3 | VARINT -> total = reader.in.readUInt32();
                case ProgressFields.SUCCEEDED_FIELD_NUMBER << 3 | VARINT -> succeeded = reader.in.readUInt32();
                case ProgressFields.DEAD_FIELD_NUMBER << 3 | VARINT -> dead = reader.in.readUInt32();
                case ProgressFields.CANCELLED_FIELD_NUMBER << 3 | VARINT -> cancelled = reader.in.readUInt32();
                case ProgressFields.EXPIRED_FIELD_NUMBER << 3 | VARINT -> expired = reader.in.readUInt32();
                case ProgressFields.CALLBACK_HI_FIELD_NUMBER << 3 | FIXED64 -> hi = reader.in.readFixed64();
                case ProgressFields.CALLBACK_LO_FIELD_NUMBER << 3 | FIXED64 -> lo = reader.in.readFixed64();
                case ProgressFields.CHANGED_AT_FIELD_NUMBER << 3 | VARINT -> changedAt = reader.time();
                case ProgressFields.DONE_AT_FIELD_NUMBER << 3 | VARINT -> doneAt = reader.time();
                default -> throw FieldReader.unknown("progress", tag);
            }
        }
        if (state < 0 || state >= GroupProgress.State.values().length) {
            throw FieldReader.malformed("a group in state " + state);
        }
        JobId callback = hi == 0 && lo == 0 ? null : new JobId(hi, lo);
        return new GroupProgress(
                GroupProgress.State.of(state), total, succeeded, dead, cancelled, expired, callback, changedAt, doneAt);
    }
}
