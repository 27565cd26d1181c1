package dev.fairlane.journal;

import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.UsageRow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link Flush} in the making. */
public final class FlushDraft {
    private final List<Flush.Added> added = new ArrayList<>();
    private final List<Flush.Revised> revised = new ArrayList<>();
    private final List<Flush.Changed> changed = new ArrayList<>();
    private final List<Flush.Ended> ended = new ArrayList<>();
    private final List<Flush.Replayed> replayed = new ArrayList<>();
    private final List<Tenant> tenants = new ArrayList<>();
    private final List<JobType> types = new ArrayList<>();
    private final List<Gate> gates = new ArrayList<>();
    private Flush.Groups groups = Flush.Groups.NONE;
    private Flush.Schedules schedules = Flush.Schedules.NONE;
    private final List<UsageRow> usage = new ArrayList<>();
    private final List<AuditEntry> audit = new ArrayList<>();
    private long highWaterAt;
    private long keptFrom;

    public FlushDraft added(JobSpec spec, JobStatus status) {
        added.add(new Flush.Added(spec, status));
        return this;
    }

    /** A job that is far from due. */
    public FlushDraft addedFar(JobSpec spec, JobStatus status, long wakeAt) {
        added.add(new Flush.Added(spec, status, wakeAt));
        return this;
    }

    /** A job that is far from due, and was at home in {@code segment}. */
    public FlushDraft revisedFar(JobSpec spec, JobStatus status, int segment, long wakeAt) {
        revised.add(new Flush.Revised(spec, status, segment, wakeAt));
        return this;
    }

    /** A job that is no longer far. */
    public FlushDraft changedFar(JobId id, JobStatus status) {
        changed.add(new Flush.Changed(id, status, true));
        return this;
    }

    /** @param segment home of the spec it had */
    public FlushDraft revised(JobSpec spec, JobStatus status, int segment) {
        revised.add(new Flush.Revised(spec, status, segment));
        return this;
    }

    public FlushDraft changed(JobId id, JobStatus status) {
        changed.add(new Flush.Changed(id, status));
        return this;
    }

    /** A job that no flush has stored. */
    public FlushDraft endedUnstored(
            JobSpec spec, JobStatus status, @Nullable Payload result, @Nullable Failure failure) {
        ended.add(new Flush.Ended(spec.id(), spec, status, result, failure, Flush.Ended.NOT_STORED));
        return this;
    }

    /** A job whose spec is only in the store. */
    public FlushDraft ended(
            JobId id, JobStatus status, @Nullable Payload result, @Nullable Failure failure, int segment) {
        ended.add(new Flush.Ended(id, null, status, result, failure, segment));
        return this;
    }

    /** A stored job whose spec is still in memory. */
    public FlushDraft endedKnown(JobSpec spec, JobStatus status, @Nullable Payload result, int segment) {
        ended.add(new Flush.Ended(spec.id(), spec, status, result, null, segment));
        return this;
    }

    /** A dead job is one no more; it is also added or ended. */
    public FlushDraft replayed(JobSpec spec) {
        replayed.add(new Flush.Replayed(spec.tenant(), spec.id()));
        return this;
    }

    public FlushDraft tenant(Tenant tenant) {
        tenants.add(tenant);
        return this;
    }

    public FlushDraft type(JobType type) {
        types.add(type);
        return this;
    }

    public FlushDraft groups(Flush.Groups moved) {
        groups = moved;
        return this;
    }

    public FlushDraft schedules(Flush.Schedules moved) {
        schedules = moved;
        return this;
    }

    public FlushDraft gate(Gate gate) {
        gates.add(gate);
        return this;
    }

    public FlushDraft used(UsageRow row) {
        usage.add(row);
        return this;
    }

    public FlushDraft audited(AuditEntry... entries) {
        audit.addAll(List.of(entries));
        return this;
    }

    public FlushDraft highWaterAt(long at) {
        highWaterAt = at;
        return this;
    }

    /** @param sequence the first batch that is needed for a job that is left out; unless this is said there is none */
    public FlushDraft keptFrom(long sequence) {
        keptFrom = sequence;
        return this;
    }

    public Flush upTo(long sequence) {
        return new Flush(
                sequence,
                keptFrom == 0 ? sequence + 1 : keptFrom,
                added,
                revised,
                changed,
                ended,
                replayed,
                tenants,
                types,
                gates,
                groups,
                schedules,
                usage,
                audit,
                highWaterAt);
    }
}
