package dev.fairlane.sim.seen;

import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.ScheduleName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What people did to a schedule, by the nodes' times. The audit has kept it in the step in which it became true, so it is complete, whoever
 * heard of it.
 *
 * @param triggers when it was told to run at once
 */
public record ScheduleDeeds(List<Pause> pauses, List<Long> triggers) {
    private static final long NEVER = Long.MAX_VALUE;

    /** @param until when it was resumed, {@code Long.MAX_VALUE} if it never was */
    public record Pause(long from, long until) {
        boolean over() {
            return until != NEVER;
        }
    }

    public static ScheduleDeeds of(ScheduleName id, KeptAudit audit) {
        List<Pause> pauses = new ArrayList<>();
        List<Long> triggers = new ArrayList<>();
        long paused = NEVER;
        for (AuditEntry entry : audit.of(id.tenant())) {
            if (!entry.deed().target().equals("schedule/" + id.name())) {
                continue;
            }
            switch (entry.deed().action()) {
                case "schedule.pause" -> paused = entry.at();
                case "schedule.resume" -> {
                    pauses.add(new Pause(paused, entry.at()));
                    paused = NEVER;
                }
                case "schedule.trigger" -> triggers.add(entry.at());
                default -> {}
            }
        }
        if (paused != NEVER) {
            pauses.add(new Pause(paused, NEVER));
        }
        return new ScheduleDeeds(List.copyOf(pauses), List.copyOf(triggers));
    }

    /** Whether a tick fell into a pause: it is left out, and not counted. */
    public boolean leaveOut(long tick) {
        return pauses.stream().anyMatch(pause -> tick > pause.from() && tick <= pause.until());
    }

    /**
     * Whether a tick that made no job may have waited when a pause began: it is then left out like those of the pause.
     *
     * @param nextFired the next tick that made one; null if none did
     */
    public boolean mayLeaveOut(long tick, @Nullable Long nextFired) {
        return pauses.stream()
                .anyMatch(pause ->
                        pause.over() && tick <= pause.from() && (nextFired == null || nextFired > pause.from()));
    }
}
