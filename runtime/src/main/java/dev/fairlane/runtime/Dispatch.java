package dev.fairlane.runtime;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.Lease;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.Token;
import dev.fairlane.core.shard.Engine;
import dev.fairlane.journal.Fetched;
import dev.fairlane.journal.Journal;
import dev.fairlane.journal.StoredJob;
import dev.fairlane.runtime.WorkerStream.Granted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings committed leases to their workers' streams. A job that a deep backlog pushed out of memory is fetched first. A lease whose
 * session is gone is not delivered: it runs out, or is queued again when its worker comes back without it. Owned by the loop.
 */
final class Dispatch {
    private static final Logger log = LoggerFactory.getLogger(Dispatch.class);

    private final Journal journal;
    private final Engine engine;
    private final StoredJobs stored;
    private final Sessions sessions;
    private final Directory directory;
    private final Meters meters;
    private final GroupCommit commit;
    private final Inbox inbox;
    private final LoopTimers timers;
    private final NodeClock clock;
    private final long retryMicros;
    private final long maxAheadBytes;
    private final LongSupplier storedBytes;
    private final Ahead ahead;
    private long releasedUpTo;

    Dispatch(
            Journal journal,
            Engine engine,
            Projection projection,
            Sessions sessions,
            Directory directory,
            Meters meters,
            GroupCommit commit,
            Inbox inbox,
            LoopTimers timers,
            NodeClock clock,
            NodeConfig config,
            long epoch) {
        this.journal = journal;
        this.engine = engine;
        this.stored = projection.stored();
        this.sessions = sessions;
        this.directory = directory;
        this.meters = meters;
        this.commit = commit;
        this.inbox = inbox;
        this.timers = timers;
        this.clock = clock;
        this.retryMicros = config.patience().retryMicros();
        this.maxAheadBytes = config.memory().aheadBytes();
        this.storedBytes = () -> projection.storedBytes(engine);
        this.ahead = new Ahead(engine, storedBytes, maxAheadBytes);
        this.releasedUpTo = Token.of(epoch, 0);
    }

    /**
     * The newest token that may be known outside. Tokens are given in the order in which their batches commit, so a newer one has
     * not left the node.
     */
    long releasedUpTo() {
        return releasedUpTo;
    }

    void release(List<Lease> leases) {
        releasedUpTo = leases.getLast().status().token();
        Map<Integer, List<Granted>> bySession = new LinkedHashMap<>();
        List<Lease> evicted = new ArrayList<>(0);
        for (Lease lease : leases) {
            if (!held(lease)) {
                continue;
            }
            if (lease.spec() == null) {
                evicted.add(lease);
            } else {
                grant(bySession, lease, lease.spec());
            }
        }
        deliver(bySession);
        if (!evicted.isEmpty()) {
            fetch(evicted);
        }
    }

    private void fetch(List<Lease> leases) {
        List<StoredJob> homes = leases.stream()
                .map(lease -> stored.home(lease.id(), lease.tenant()))
                .toList();
        journal.fetch(homes).whenComplete((fetched, fault) -> inbox.signal(() -> fetched(leases, fetched, fault)));
    }

    private void fetched(List<Lease> leases, @Nullable Fetched fetched, @Nullable Throwable fault) {
        List<Lease> current = leases.stream().filter(this::held).toList();
        if (fetched == null) {
            log.warn("payloads of {} leased jobs could not be fetched: {}", current.size(), String.valueOf(fault));
            timers.at(clock.now() + retryMicros, () -> fetch(current));
            return;
        }
        Map<JobId, JobSpec> specs = fetched.asked();
        current.forEach(lease -> keep(specs.get(lease.id())));
        ahead.keep(fetched.beside());
        // Meanwhile anything may have happened to the job, and to us: it leaves like everything else, when that is
        // durable.
        List<Lease> cancelled =
                current.stream().filter(lease -> sessions.cancelled(ref(lease))).toList();
        commit.afterDurable(() -> {
            Map<Integer, List<Granted>> bySession = new LinkedHashMap<>();
            for (Lease lease : current) {
                JobSpec spec = specs.get(lease.id());
                if (spec == null) {
                    log.error("job {} was leased but is not in the store", lease.id());
                } else if (held(lease)) {
                    grant(bySession, lease, spec);
                }
            }
            deliver(bySession);
            cancelled.forEach(lease -> cancel(ref(lease), lease.session()));
        });
    }

    /** A job that is run now ends soon, as a rule, and its end is written with its spec: who has it need not read it again. */
    private void keep(@Nullable JobSpec spec) {
        if (spec != null && storedBytes.getAsLong() < maxAheadBytes + maxAheadBytes / 8) {
            engine.restore(spec);
        }
    }

    private static LeaseRef ref(Lease lease) {
        return new LeaseRef(lease.id(), lease.status().token());
    }

    /**
     * Its worker is told to stop, wherever it is connected now.
     *
     * @param before the session it had when the cancel was decided, for a lease that has ended meanwhile
     */
    void cancel(LeaseRef lease, int before) {
        boolean lives = engine.holds(lease.id(), lease.token());
        WorkerStream stream = sessions.stream(lives ? engine.sessionOf(lease.id()) : before);
        if (stream != null) {
            stream.cancels(List.of(lease));
        }
    }

    /** What was taken back before it left (a cancel, a worker that came again without it) stays here. */
    private boolean held(Lease lease) {
        return engine.holds(lease);
    }

    private void grant(Map<Integer, List<Granted>> bySession, Lease lease, JobSpec spec) {
        Tenant tenant = directory.tenant(lease.tenant());
        bySession
                .computeIfAbsent(lease.session(), session -> new ArrayList<>())
                .add(new Granted(spec, lease.status(), tenant == null ? "" : tenant.name(), lease.leaseMicros()));
    }

    private void deliver(Map<Integer, List<Granted>> bySession) {
        long now = clock.now();
        bySession.forEach((session, granted) -> {
            WorkerStream stream = sessions.stream(session);
            if (stream != null) {
                for (Granted lease : granted) {
                    meters.picked(lease.spec(), lease.status(), now);
                }
                stream.leases(granted);
            }
        });
    }
}
