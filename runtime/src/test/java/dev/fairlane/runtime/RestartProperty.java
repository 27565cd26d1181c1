package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.AuditHead;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.Usage;
import dev.fairlane.core.model.UsageRow;
import dev.fairlane.core.shard.HardState;
import dev.fairlane.journal.AuditCheck;
import dev.fairlane.journal.AuditQuery;
import dev.fairlane.journal.UsageQuery;
import dev.fairlane.runtime.NodeRig.TestWorker;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random calls, and a restart after every one: what comes back from journal and rows is what was there. */
class RestartProperty {
    private static final int STEPS = 120;
    private static final long SECOND = 1_000_000;
    private static final Author AUTHOR = new Author("k", "Ann", "admin", "", "", "");

    private SplittableRandom random = new SplittableRandom();
    private NodeRig rig = new NodeRig();
    private final List<Tenant> tenants = new ArrayList<>();
    private final List<JobId> jobs = new ArrayList<>();
    private TestWorker worker = new TestWorker();
    private List<LeaseRef> held = new ArrayList<>();
    private int requests;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 25);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aRestartAfterEveryStepBringsEverythingBack(long seed) {
        random = new SplittableRandom(seed);
        rig = new NodeRig(LoopRestTest.with(20_000, random.nextInt(1, 2_000)), random.nextInt(2, 30));
        tenants.add(rig.tenant("acme", 10));
        connect();
        for (int step = 0; step < STEPS; step++) {
            step();
            rig.settle();
            HardState before = rig.node.hardState();
            rig.start();
            assertThat(rig.node.hardState()).as("after step %d", step).isEqualTo(before);
            connect();
        }
        assertThat(jobs).hasSizeGreaterThan(STEPS / 8);
        assertThat(booked()).as("the ledger").isEqualTo(ran());
        assertThat(brokenChains()).as("the audit").isEmpty();
    }

    private List<String> brokenChains() {
        List<AuditHead> heads = rig.settled(rig.node.audit().heads(null, -1, 100));
        assertThat(heads).isNotEmpty();
        List<String> broken = new ArrayList<>();
        for (AuditHead head : heads) {
            List<AuditEntry> entries = rig.settled(rig.node.audit().list(AuditQuery.whole(head.chain())));
            String name = Objects.requireNonNull(rig.node.tenant(head.chain())).name();
            AuditCheck.firstBreak(head, name, entries).ifPresent(broken::add);
        }
        return broken;
    }

    private Usage booked() {
        UsageQuery all = new UsageQuery(null, 0, Long.MAX_VALUE, UsageQuery.Span.ALL, Set.of(), 10);
        List<UsageRow> rows = rig.settled(rig.node.usage(all));
        Usage sum = rows.isEmpty() ? Usage.NONE : rows.getFirst().used();
        return new Usage(sum.executions(), 0, sum.succeeded(), sum.dead(), sum.cancelled(), sum.expired());
    }

    /** What jobs themselves say of their executions and ends. */
    private Usage ran() {
        Usage sum = Usage.NONE;
        for (JobId id : new HashSet<>(jobs)) {
            JobStatus status = rig.settled(rig.node.get(null, id)).orElseThrow().status();
            boolean ran = status.execution() > 0;
            JobState is = status.state();
            sum = sum.plus(new Usage(
                    status.execution() - (is.leased() ? 1 : 0),
                    0,
                    ran && is == JobState.SUCCEEDED ? 1 : 0,
                    ran && is == JobState.DEAD ? 1 : 0,
                    ran && is == JobState.CANCELLED ? 1 : 0,
                    ran && is == JobState.EXPIRED ? 1 : 0));
        }
        return sum;
    }

    private void connect() {
        held.addAll(worker.leases.stream()
                .map(lease -> new LeaseRef(lease.spec().id(), lease.status().token()))
                .toList());
        worker = rig.worker("w1", random.nextInt(1, 6), held, "echo", "slow");
        held.removeAll(worker.revoked);
    }

    private void step() {
        switch (random.nextInt(12)) {
            case 0 -> tenants.add(rig.tenant("tenant-" + random.nextInt(5), random.nextInt(1, 50)));
            case 1 ->
                rig.settled(rig.node.putType(
                        new Command.PutType(anyTenant().id(), "slow", "medium", random.nextInt(4), 0), AUTHOR));
            case 2, 3, 4, 5 -> jobs.add(rig.submit(anyTenant(), job()));
            case 6 -> {
                if (!jobs.isEmpty()) {
                    rig.settled(rig.node.cancel(null, jobs.get(random.nextInt(jobs.size())), AUTHOR));
                }
            }
            case 7, 8 -> report();
            case 9 -> rig.advance(random.nextLong(20 * SECOND));
            default -> rig.advance(random.nextLong(SECOND));
        }
    }

    private Tenant anyTenant() {
        return tenants.get(random.nextInt(tenants.size()));
    }

    private NewJob job() {
        boolean again = random.nextInt(4) == 0 && requests > 0;
        int number = again ? random.nextInt(requests) : requests++;
        boolean keyed = number % 2 == 0;
        return new NewJob(
                number % 3 == 0 ? "slow" : "echo",
                Payload.EMPTY,
                0,
                random.nextInt(-1, 10),
                0,
                random.nextInt(3) == 0 ? random.nextLong(30 * SECOND) : 0,
                0,
                0,
                0,
                keyed ? "k" + number : "",
                number,
                Map.of(),
                Map.of());
    }

    private void report() {
        held.addAll(worker.leases.stream()
                .map(lease -> new LeaseRef(lease.spec().id(), lease.status().token()))
                .toList());
        worker.leases.clear();
        if (!held.isEmpty()) {
            LeaseRef lease = held.remove(random.nextInt(held.size()));
            if (random.nextBoolean()) {
                worker.succeed(lease);
            } else {
                FailureClass[] classes = FailureClass.values();
                worker.fail(lease, Failure.of(classes[random.nextInt(classes.length)], "boom"));
            }
        }
    }
}
