package dev.fairlane.runtime;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.KeyFinding;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleProgress;
import dev.fairlane.core.model.ScheduleRules;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.shard.JobSnapshot;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ticks of schedules on the loop: looks up a key where a type has one job of a kind, tells workers what a tick cancelled, and measures
 * how late ticks were dealt with.
 */
final class Ticking {
    private static final Logger log = LoggerFactory.getLogger(Ticking.class);

    private final NodeLoop loop;
    private final Set<ScheduleName> lookingUp = new HashSet<>();
    private final Lateness lateness = new Lateness();

    Ticking(NodeLoop loop) {
        this.loop = loop;
    }

    void tick(Command.Tick tick) {
        if (lookingUp.contains(tick.id())) {
            return;
        }
        Schedule before = loop.engine.schedule(tick.id());
        List<LeaseRef> running = running(before);
        Answer answer = loop.decide(tick);
        tell(running);
        switch (answer) {
            case Answer.LookUpKey look -> lookUp(tick, look);
            case Answer.Submitted _ -> fired(tick.id(), before);
            default -> {}
        }
    }

    private void lookUp(Command.Tick tick, Answer.LookUpKey look) {
        lookingUp.add(tick.id());
        loop.keyLookups.ask(look.probe(), new KeyLookups.Asker() {
            @Override
            public void found(KeyFinding finding) {
                lookingUp.remove(tick.id());
                tick(tick.with(finding));
            }

            @Override
            public void failed(Throwable fault) {
                lookingUp.remove(tick.id());
                log.warn("a tick of {} waits, its key could not be looked up: {}", tick.id(), fault.toString());
            }
        });
    }

    private void fired(ScheduleName id, @Nullable Schedule before) {
        Schedule schedule = loop.engine.schedule(id);
        if (schedule == null || before == null) {
            return;
        }
        long tick = schedule.progress().lastTick();
        long late = Math.max(0, loop.now() - schedule.fireAt(tick));
        if (!laterByItsRules(before, tick, late)) {
            loop.commit.eventually(() -> lateness.add(id, late));
        }
    }

    /**
     * A tick that waited for the run before it, or is made up for, is late because its schedule says so. The last one that is made up for was
     * due already when the one before it fired.
     */
    private boolean laterByItsRules(Schedule before, long tick, long late) {
        ScheduleRules.Catchup catchup = before.rules().catchup();
        boolean madeUpFor = late > Schedule.GRACE_MICROS && catchup != ScheduleRules.Catchup.NONE;
        if (madeUpFor || before.progress().buffered() == tick) {
            return true;
        }
        if (catchup != ScheduleRules.Catchup.ALL) {
            return false;
        }
        long following = before.tickAfter(tick);
        boolean moreToMakeUpFor = following != Schedule.NEVER && before.fireAt(following) <= loop.now();
        return moreToMakeUpFor || before.fireAt(tick) <= before.progress().lastFiredAt();
    }

    /** Tells workers what they are asked to cancel, once that is durable. */
    private void tell(List<LeaseRef> running) {
        for (LeaseRef lease : running) {
            JobSnapshot job = loop.engine.job(lease.id());
            if (job != null && job.status().cancelRequested()) {
                int session = loop.engine.sessionOf(lease.id());
                loop.commit.afterDurable(() -> loop.dispatch.cancel(lease, session));
            }
        }
    }

    /** Executions that the tick may have to cancel. */
    private List<LeaseRef> running(@Nullable Schedule schedule) {
        if (schedule == null || schedule.rules().overlap() != ScheduleRules.Overlap.CANCEL_PREVIOUS) {
            return List.of();
        }
        List<LeaseRef> running = new ArrayList<>();
        for (JobId open : schedule.progress().open()) {
            JobSnapshot job = loop.engine.job(open);
            if (job != null && job.status().state().leased() && !job.status().cancelRequested()) {
                running.add(new LeaseRef(open, job.status().token()));
            }
        }
        return running;
    }

    /** Hears by how much the store's clock turned out to differ from ours. Schedules do not care, unless they are sabotaged. */
    void clockMoved(long skew, long storeNow) {
        if (skew < 0 && loop.config.sabotage().contains(Sabotage.TICKS_FOLLOW_CLOCK)) {
            for (Schedule schedule : loop.engine.schedules(null, null, Schedule.MAX_PER_TENANT)) {
                if (schedule.progress().cursor() > storeNow) {
                    loop.apply(new Fact.ScheduleMoved(schedule.id(), back(schedule.progress(), storeNow)));
                }
            }
        }
    }

    /** What no decision would ever come to: the cursor never goes back. */
    private static ScheduleProgress back(ScheduleProgress was, long cursor) {
        return new ScheduleProgress(
                cursor,
                was.fired(),
                was.skipped(),
                was.missed(),
                was.refused(),
                was.triggered(),
                was.buffered(),
                was.lastTick(),
                was.lastFiredAt(),
                was.lastJob(),
                was.endedAt(),
                was.open(),
                was.problem(),
                was.pause(),
                was.changedAt());
    }

    NodeStatus.ScheduleStatus status(long now) {
        lateness.keep(id -> loop.engine.schedule(id) != null);
        return new NodeStatus.ScheduleStatus(
                loop.engine.oldestDueTickMicros(now), lateness.copy(this::nameOf), loop.clock.aheadMicros());
    }

    private @Nullable String nameOf(TenantId id) {
        Tenant tenant = loop.engine.tenant(id);
        return tenant == null ? null : tenant.name();
    }
}
