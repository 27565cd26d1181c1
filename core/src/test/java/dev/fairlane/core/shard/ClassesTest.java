package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.HOUR;
import static dev.fairlane.core.shard.Bed.MILLI;
import static dev.fairlane.core.shard.Bed.MINUTE;
import static dev.fairlane.core.shard.Bed.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.MoveRules;
import dev.fairlane.core.model.Notice;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.WorkerOffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Semantics §4: the class of a job is what its type declares, until measured time overrides it. */
class ClassesTest {
    private static final List<String> TYPES = List.of("resize", "train", "stuck", "crashing", "mail");

    private Bed bed = new Bed();

    @BeforeEach
    void aWorkerInAllPools() {
        connect();
    }

    private void connect() {
        bed.engine.openSession(
                1, new WorkerOffer("worker-1", null, TYPES, Map.of("short", 10, "medium", 10, "long", 10)), bed.now);
    }

    @Test
    void howOftenIsTooOftenAndForHowLongAreSettings() {
        bed = new Bed(EngineConfig.DEFAULT.withMoves(new MoveRules(3, 1_000, 1, MINUTE, 10 * MINUTE)));
        connect();
        run("resize", 5 * SECOND);
        run("resize", 5 * SECOND);
        bed.pass(2 * MINUTE); // out of the window
        run("resize", 5 * SECOND);
        run("resize", 5 * SECOND);
        assertThat(type("resize").moved()).isNull();
        run("resize", 5 * SECOND);
        assertThat(type("resize").moved()).isEqualTo(new JobType.Moved("medium", bed.now + 10 * MINUTE));
        bed.pass(10 * MINUTE + SECOND);
        assertThat(type("resize").moved()).as("it did nothing meanwhile").isNull();
    }

    @Test
    void aPartOfTheRunsIsTooOftenWhereThereAreEnough() {
        bed = new Bed(EngineConfig.DEFAULT.withMoves(new MoveRules(1_000, 20, 10, HOUR, HOUR)));
        connect();
        for (int i = 0; i < 18; i++) {
            run("resize", MILLI);
        }
        run("resize", 5 * SECOND);
        run("resize", 5 * SECOND);
        assertThat(type("resize").moved())
                .as("a tenth is not more than a tenth")
                .isNull();
        run("resize", 5 * SECOND);
        assertThat(type("resize").moved()).isNotNull();
    }

    private void run(String type, long micros) {
        bed.submit(type);
        Picked picked = bed.mustPick();
        hold(micros);
        bed.complete(picked);
    }

    /** Time passes while the worker says that it lives. */
    private void hold(long micros) {
        long until = bed.now + micros;
        while (bed.now < until) {
            bed.pass(Math.min(5 * SECOND, until - bed.now));
            bed.engine.renewAll(bed.now);
        }
    }

    private JobType type(String name) {
        return bed.engine.types(bed.tenant).stream()
                .filter(type -> type.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private String poolOf(JobId id) {
        return bed.engine.hardState(bed.now).jobs().stream()
                .filter(job -> job.id().equals(id))
                .findFirst()
                .orElseThrow()
                .pool();
    }

    private List<Notice> notices() {
        List<Notice> told = new ArrayList<>();
        bed.engine.drainNotices(told::add);
        return told;
    }

    @Test
    void aTypeThatKeepsItsBoundStays() {
        for (int i = 0; i < 1_200; i++) {
            run("resize", 10 * MILLI);
        }
        assertThat(type("resize").moved()).isNull();
        assertThat(notices()).isEmpty();
    }

    @Test
    void theHundredthViolationWithinAnHourMovesItInTheSameStep() {
        for (int i = 0; i < 50; i++) {
            run("resize", 10 * MILLI);
        }
        for (int i = 0; i < 99; i++) {
            run("resize", 5 * SECOND);
        }
        assertThat(type("resize").moved()).isNull();
        run("resize", 5 * SECOND);
        assertThat(type("resize").moved()).isEqualTo(new JobType.Moved("medium", bed.now + HOUR));
        assertThat(bed.facts.subList(bed.facts.size() - 2, bed.facts.size()))
                .satisfiesExactly(
                        end -> assertThat(end).isInstanceOf(Fact.JobEnded.class),
                        moved -> assertThat(moved).isInstanceOf(Fact.TypeSet.class));
        assertThat(notices()).singleElement().satisfies(notice -> {
            assertThat(notice.kind()).isEqualTo(Notice.Kind.POOL_VIOLATION);
            assertThat(notice.pool()).isEqualTo("medium");
            assertThat(notice.type()).isEqualTo("resize");
        });
    }

    @Test
    void violationsSpreadOverMoreThanAnHourDoNotMoveIt() {
        for (int i = 0; i < 120; i++) {
            run("resize", 5 * SECOND);
            bed.pass(MINUTE);
        }
        assertThat(type("resize").moved()).isNull();
    }

    @Test
    void moreThanOnePercentOfAThousandRunsMovesItOnePoolFurther() {
        for (int i = 0; i < 1_000; i++) {
            run("resize", i % 80 == 79 ? 2 * SECOND : 10 * MILLI);
        }
        assertThat(type("resize").moved()).isNull();
        while (type("resize").moved() == null
                && bed.engine.pace(bed.tenant, "resize", bed.now).violations() < 20) {
            run("resize", 2 * SECOND);
        }
        assertThat(Objects.requireNonNull(type("resize").moved()).pool()).isEqualTo("medium");
        assertThat(bed.engine.pace(bed.tenant, "resize", bed.now).p95Micros()).isLessThan(SECOND);
    }

    @Test
    void onePercentIsNotMoreThanOnePercent() {
        for (int i = 0; i < 2_000; i++) {
            run("resize", i % 100 == 99 ? 2 * SECOND : 10 * MILLI);
        }
        assertThat(type("resize").moved()).isNull();
    }

    @Test
    void itGoesToThePoolItsP95Fits() {
        declare("train", "short", 10 * MINUTE);
        for (int i = 0; i < 40; i++) {
            for (int k = 0; k < 5; k++) {
                bed.submit("train");
            }
            List<Picked> picked = new ArrayList<>();
            for (Picked one = bed.pick(); one != null; one = bed.pick()) {
                picked.add(one);
            }
            hold(90 * SECOND);
            picked.forEach(bed::complete);
            if (type("train").moved() != null) {
                break;
            }
        }
        assertThat(Objects.requireNonNull(type("train").moved()).pool()).isEqualTo("long");
    }

    private void declare(String type, String pool, long limitMicros) {
        bed.send(new Command.PutType(bed.tenant, type, pool, 0, limitMicros));
    }

    private void violate(String type) {
        for (int i = 0; i < 100; i++) {
            run(type, 5 * SECOND);
        }
        assertThat(type(type).moved()).isNotNull();
        notices();
    }

    @Test
    void whatWaitsAndWhatRunsStaysWhereItIsAndNewJobsGoToTheNewPool() {
        bed.submit("resize");
        Picked running = bed.mustPick();
        for (int i = 0; i < 99; i++) {
            run("resize", 5 * SECOND);
            bed.engine.renewAll(bed.now);
        }
        // all slots of the short pool but one are taken
        JobId waiting = bed.submit("resize");
        Picked last = bed.mustPick();
        JobId next = bed.submit("resize");
        hold(5 * SECOND);
        bed.complete(last);
        assertThat(last.lease().id()).isEqualTo(waiting);
        assertThat(type("resize").moved()).isNotNull();
        assertThat(poolOf(next)).isEqualTo("short");
        JobId fresh = bed.submit("resize");
        assertThat(poolOf(fresh)).isEqualTo("medium");
        assertThat(bed.complete(running)).isNotNull();
        assertThat(bed.ended).containsKey(running.lease().id());
    }

    @Test
    void inThePoolItFitsItIsMovedNoFurther() {
        violate("resize");
        JobType.Moved moved = type("resize").moved();
        for (int i = 0; i < 100; i++) {
            run("resize", 5 * SECOND);
        }
        assertThat(type("resize").moved()).isEqualTo(moved);
        assertThat(notices()).isEmpty();
    }

    @Test
    void afterTheHourItGoesBackIfItIsFastAgain() {
        violate("resize");
        bed.pass(HOUR - SECOND);
        for (int i = 0; i < 5; i++) {
            run("resize", 10 * MILLI);
        }
        assertThat(type("resize").moved()).as("sticky").isNotNull();
        bed.pass(SECOND);
        assertThat(type("resize").moved()).isNull();
        assertThat(notices()).extracting(Notice::kind).containsExactly(Notice.Kind.POOL_RESTORED);
        assertThat(poolOf(bed.submit("resize"))).isEqualTo("short");
    }

    @Test
    void afterTheHourItStaysForAnotherIfItIsStillSlow() {
        violate("resize");
        bed.pass(HOUR - MINUTE);
        run("resize", 5 * SECOND);
        bed.pass(MINUTE);
        JobType.Moved kept = Objects.requireNonNull(type("resize").moved());
        assertThat(kept.pool()).isEqualTo("medium");
        assertThat(kept.until()).isBetween(bed.now + HOUR - MINUTE, bed.now + HOUR);
        assertThat(notices()).isEmpty();
        bed.pass(HOUR);
        assertThat(type("resize").moved()).as("it did nothing since").isNull();
    }

    @Test
    void withoutAWorkerInALargerPoolItStaysAndIsReported() {
        bed.engine.closeSession(1);
        bed.worker(2, 10, "resize");
        for (int i = 0; i < 201; i++) {
            run("resize", 5 * SECOND);
        }
        assertThat(type("resize").moved()).isNull();
        assertThat(notices()).hasSize(2).allSatisfy(notice -> {
            assertThat(notice.kind()).isEqualTo(Notice.Kind.POOL_VIOLATION);
            assertThat(notice.pool()).isEqualTo("short");
        });
    }

    @Test
    void workersOfOtherTypesTagsOrTenantsInALargerPoolAreNotForIt() {
        bed.engine.closeSession(1);
        bed.worker(2, 10, "resize");
        TenantId other = bed.putTenant("other", 10);
        bed.engine.openSession(
                3, new WorkerOffer("worker-3", null, List.of("render"), Map.of("medium", 8, "long", 2)), bed.now);
        bed.engine.openSession(4, new WorkerOffer("worker-4", other, List.of("resize"), Map.of("medium", 8)), bed.now);
        for (int i = 0; i < 101; i++) {
            run("resize", 5 * SECOND);
        }
        assertThat(type("resize").moved()).isNull();

        bed.engine.openSession(
                5, new WorkerOffer("worker-5", bed.tenant, List.of("resize"), Map.of("long", 2)), bed.now);
        for (int i = 0; i < 101; i++) {
            run("resize", 5 * SECOND);
        }
        assertThat(Objects.requireNonNull(type("resize").moved()).pool())
                .as("where its own worker is")
                .isEqualTo("long");
    }

    @Test
    void timeoutsCountAndCrashesDoNot() {
        declare("stuck", "short", 200 * MILLI);
        for (int i = 0; i < 100; i++) {
            bed.submit("stuck");
            Picked picked = bed.mustPick();
            bed.pass(300 * MILLI);
            bed.fail(picked, FailureClass.TIMEOUT);
            cancelAll();
        }
        assertThat(Objects.requireNonNull(type("stuck").moved()).pool()).isEqualTo("medium");
        notices();
        for (int i = 0; i < 120; i++) {
            bed.submit("crashing");
            Picked picked = bed.mustPick();
            hold(2 * SECOND);
            bed.fail(picked, FailureClass.WORKER_CRASH);
            cancelAll();
        }
        assertThat(type("crashing").moved()).isNull();
    }

    private void cancelAll() {
        bed.engine.hardState(bed.now).jobs().forEach(job -> bed.send(new Command.Cancel(null, job.id())));
    }

    @Test
    void declaringTheTypeOverridesTheMove() {
        violate("resize");
        declare("resize", "short", 0);
        assertThat(type("resize").moved()).isNull();
        run("resize", 5 * SECOND);
        assertThat(type("resize").moved()).as("counting begins anew").isNull();
    }

    @Test
    void theMoveOutlivesARestartWithItsHour() {
        violate("resize");
        Engine again = new Engine(bed.config, Bed.EPOCH + 1);
        bed.engine.tenants().forEach(tenant -> again.apply(new Fact.TenantSet(tenant)));
        bed.engine.types(null).forEach(type -> again.apply(new Fact.TypeSet(type)));
        bed.engine = again;
        connect();
        assertThat(poolOf(bed.submit("resize"))).isEqualTo("medium");
        bed.pass(HOUR);
        assertThat(type("resize").moved()).isNull();
    }

    @Test
    void theEstimateIsThePoolsFirstAndThenLearned() {
        declare("mail", "medium", 0);
        assertThat(bed.engine.pace(bed.tenant, "mail", bed.now).estimateMicros())
                .isEqualTo(60 * SECOND);
        for (int i = 0; i < 400; i++) {
            run("mail", (i % 10 == 0 ? 400 : 100) * MILLI);
        }
        PaceStats pace = bed.engine.pace(bed.tenant, "mail", bed.now);
        assertThat(pace.estimateMicros()).isBetween(100 * MILLI, 250 * MILLI);
        assertThat(pace.p95Micros()).isBetween(250 * MILLI, 400 * MILLI);
    }
}
