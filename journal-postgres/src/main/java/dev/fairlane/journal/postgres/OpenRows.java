package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.Fact.JobAdded;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.journal.FactCodec;
import dev.fairlane.journal.RowCodec;
import dev.fairlane.journal.postgres.Slots.Filling;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What goes into the segment that is being filled: whole jobs, alone or in bundles of their tenant, and images of jobs that are stored. Gathered,
 * then sent.
 */
final class OpenRows {
    private final CopyRows rows;
    private final int bundleFrom;
    private final Consumer<Bundle> sent;
    private final RowCodec codec = new RowCodec();
    private final FactCodec bundles = new FactCodec();
    private final Map<Integer, List<JobAdded>> byTenant = new LinkedHashMap<>();
    private final Map<JobId, byte[]> images = new LinkedHashMap<>();
    private @Nullable List<JobAdded> latest;
    private int latestTenant;

    /**
     * @param rows to gather them in
     * @param bundleFrom so many jobs of a tenant are worth a bundle
     * @param sent is given the bundles; they are stored when the transaction is
     */
    OpenRows(CopyRows rows, int bundleFrom, Consumer<Bundle> sent) {
        this.rows = rows;
        this.bundleFrom = bundleFrom;
        this.sent = sent;
    }

    void job(JobSpec spec, JobStatus status) {
        int tenant = spec.tenant().number();
        List<JobAdded> same = latest;
        if (same == null || tenant != latestTenant) {
            same = byTenant.computeIfAbsent(tenant, number -> new ArrayList<>());
            latest = same;
            latestTenant = tenant;
        }
        same.add(new JobAdded(spec, status));
    }

    /** The newest image of a job whose spec is stored. */
    void image(JobId id, byte[] status) {
        images.put(id, status);
    }

    /** @return the segment with what it has now */
    Filling send(Connection connection, long number, Filling to, Pace pace) throws SQLException {
        try {
            List<JobAdded> alone = new ArrayList<>();
            Filling filling = bundles(connection, number, to, pace, alone);
            rows.clear();
            for (JobAdded job : alone) {
                whole(number, job.spec(), job.status());
                filling = filling.with(job.id(), true);
            }
            for (var image : images.entrySet()) {
                image(number, image.getKey(), image.getValue());
                filling = filling.with(image.getKey(), false);
            }
            filling = filling.withBytes(rows.length());
            rows.send(connection, Sql.on("copy_open", to.table()), pace);
            return filling;
        } finally {
            clear();
        }
    }

    private Filling bundles(Connection connection, long number, Filling to, Pace pace, List<JobAdded> alone)
            throws SQLException {
        rows.clear();
        List<Bundle> made = new ArrayList<>(1);
        Filling filling = to;
        for (List<JobAdded> jobs : byTenant.values()) {
            if (jobs.size() < bundleFrom) {
                alone.addAll(jobs);
                continue;
            }
            // Bundles that span other ids are found without looking into each other.
            jobs.sort(Comparator.comparing(JobAdded::id));
            Bundle.pack(jobs, bundles, made::add, alone::add);
            for (Bundle bundle : made) {
                bundle(number, bundle);
                sent.accept(bundle);
                filling = filling.with(
                        bundle.first(), bundle.last(), bundle.jobs().size());
            }
            made.clear();
        }
        filling = filling.withBytes(rows.length());
        rows.send(connection, Sql.on("copy_bundles", to.table()), pace);
        return filling;
    }

    private void bundle(long number, Bundle bundle) {
        rows.row(6)
                .int8(number)
                .uuid(bundle.first())
                .int4(bundle.tenant())
                .uuid(bundle.last())
                .bytea(bundle.ids())
                .bytea(bundle.bytes());
    }

    private void whole(long number, JobSpec spec, JobStatus status) {
        rows.row(7)
                .int8(number)
                .uuid(spec.id())
                .int4(spec.tenant().number())
                .text(spec.type())
                .bytea(codec.encodeSpecExtras(spec))
                .bytea(codec.encodeStatus(status))
                .bytea(spec.payload().bytes());
    }

    private void image(long number, JobId id, byte[] status) {
        rows.row(7).int8(number).uuid(id).none().none().none().bytea(status).none();
    }

    /** Forgets what was gathered and not sent. */
    void clear() {
        byTenant.clear();
        images.clear();
        latest = null;
    }
}
