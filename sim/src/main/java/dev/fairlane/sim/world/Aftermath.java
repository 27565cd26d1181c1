package dev.fairlane.sim.world;

import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.AuditHead;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.AuditQuery;
import dev.fairlane.journal.JobQuery;
import dev.fairlane.journal.LogId;
import dev.fairlane.journal.RecoverySink;
import dev.fairlane.journal.memory.InMemoryJournal;
import dev.fairlane.journal.memory.InMemoryStore;
import dev.fairlane.sim.seen.Ending;
import dev.fairlane.sim.seen.KeptAudit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads everything the store has kept: its lists page by page, and what a next start would be told. */
public final class Aftermath implements RecoverySink {
    private static final int PAGE = 500;

    private final InMemoryJournal journal;
    private final List<JobView> stored = new ArrayList<>();
    private final List<JobGroup> groups = new ArrayList<>();
    private final List<Schedule> schedules = new ArrayList<>();
    private final Set<JobId> open = new HashSet<>();
    private long tailFacts;
    private final Map<TenantId, String> tenants = new TreeMap<>(Comparator.comparingInt(TenantId::number));
    private List<AuditHead> chains = List.of();
    private List<AuditEntry> entries = List.of();
    private boolean audited;
    private boolean listed;
    private boolean opened;
    private int groupsLeft;

    public Aftermath(InMemoryStore store) {
        this.journal = new InMemoryJournal(store, "aftermath");
        page(null);
        journal.auditHeads(null, -1, Integer.MAX_VALUE)
                .thenCompose(heads -> {
                    chains = heads;
                    return journal.audit(new AuditQuery(null, 0, 0, null, true, Integer.MAX_VALUE));
                })
                .thenAccept(all -> {
                    entries = all;
                    audited = true;
                });
        journal.open("aftermath", this).thenAccept(log -> opened = true);
    }

    private void page(@Nullable JobId before) {
        journal.list(new JobQuery(null, Set.of(), "", before, PAGE)).thenAccept(page -> {
            stored.addAll(page.jobs());
            if (page.next() == null) {
                listed = true;
                findGroups();
            } else {
                page(page.next());
            }
        });
    }

    /** Every group has a member or is told as one that is not done; of others that are done, their callbacks tell. */
    private void findGroups() {
        Set<JobId> ids = new TreeSet<>();
        for (JobView job : stored) {
            String member = job.spec().terms().group();
            String calledBy = job.spec().headers().getOrDefault("fairlane-group", "");
            List.of(member, calledBy).stream()
                    .filter(id -> !id.isEmpty())
                    .map(JobId::parse)
                    .forEach(ids::add);
        }
        groupsLeft = ids.size();
        ids.forEach(id -> journal.group(null, id).thenAccept(found -> {
            groupsLeft--;
            found.ifPresent(groups::add);
        }));
    }

    public boolean isKnown() {
        return listed && opened && audited && groupsLeft == 0;
    }

    public Ending ending() {
        List<JobView> all = new ArrayList<>(stored);
        // A job told as open must be listed as open: one that is listed as ended would be there twice.
        stored.stream()
                .filter(job -> job.status().state().terminal()
                        && open.contains(job.spec().id()))
                .forEach(all::add);
        return new Ending(
                all, List.copyOf(groups), List.copyOf(schedules), new KeptAudit(chains, entries, tenants), tailFacts);
    }

    @Override
    public void begin(LogId log) {}

    @Override
    public void tenant(Tenant tenant) {
        tenants.put(tenant.id(), tenant.name());
    }

    @Override
    public void type(JobType type) {}

    @Override
    public void group(JobGroup group) {}

    @Override
    public void schedule(Schedule schedule) {
        schedules.add(schedule);
    }

    @Override
    public void gate(Gate gate) {}

    @Override
    public void sealedKey(TenantId tenant, String key, long submittedAt) {}

    @Override
    public void deadKey(TenantId tenant, String key, long endedAt) {}

    @Override
    public void key(TenantId tenant, String key, JobId id, long bodyHash, long submittedAt) {}

    @Override
    public void open(JobSpec spec, JobStatus status, int segment) {
        open.add(spec.id());
    }

    @Override
    public boolean knows(JobId id) {
        return open.contains(id);
    }

    @Override
    public void leftOut(JobSpec spec, JobStatus status) {
        stored.add(new JobView(spec, status, null, null));
    }

    @Override
    public void tail(Fact fact) {
        tailFacts++;
    }

    @Override
    public void segment(int segment, long rows, boolean sealed) {}
}
