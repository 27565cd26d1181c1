package dev.fairlane.sdk;

import dev.fairlane.protocol.v1.DeleteScheduleRequest;
import dev.fairlane.protocol.v1.GetScheduleRequest;
import dev.fairlane.protocol.v1.ListSchedulesRequest;
import dev.fairlane.protocol.v1.ListSchedulesResponse;
import dev.fairlane.protocol.v1.PauseScheduleRequest;
import dev.fairlane.protocol.v1.PreviewScheduleRequest;
import dev.fairlane.protocol.v1.PutScheduleRequest;
import dev.fairlane.protocol.v1.PutScheduleResponse;
import dev.fairlane.protocol.v1.ResumeScheduleRequest;
import dev.fairlane.protocol.v1.SchedulePreview;
import dev.fairlane.protocol.v1.SchedulesGrpc;
import dev.fairlane.protocol.v1.TriggerScheduleRequest;
import dev.fairlane.sdk.internal.Rpc;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Jobs by the clock: declare schedules, look at them, steer them. */
public final class Schedules {
    private static final int PAGE = 200;

    private final Fairlane fairlane;
    private final Rpc rpc;

    Schedules(Fairlane fairlane, Rpc rpc) {
        this.fairlane = fairlane;
        this.rpc = rpc;
    }

    /** Where a schedule stands. */
    public enum State {
        ACTIVE,
        PAUSED,
        /** There will be no further tick. */
        DONE
    }

    /** What declaring a schedule came to. */
    public enum Outcome {
        CREATED,
        CHANGED,
        UNCHANGED
    }

    /**
     * A schedule as the server saw it at one moment.
     *
     * @param next the next tick, before jitter
     * @param fired ticks that submitted a job
     * @param skipped ticks left out for an open run
     * @param missed ticks left out because they were late
     * @param refused ticks whose job was refused
     * @param openJobs its runs that are not at their end
     */
    public record Info(
            String name,
            State state,
            Optional<Instant> next,
            Optional<Instant> lastTick,
            Optional<String> lastJob,
            long fired,
            long skipped,
            long missed,
            long refused,
            List<String> openJobs) {}

    /** Makes the schedule of this name what is said; the same again changes nothing, so a deploy can say it every time. */
    public Outcome put(Schedule schedule) {
        PutScheduleResponse answer = rpc.call(
                SchedulesGrpc.getPutScheduleMethod(),
                PutScheduleRequest.newBuilder()
                        .setName(schedule.name())
                        .setSpec(schedule.encode(fairlane.codec()))
                        .build(),
                Rpc.Repeat.SAFE);
        return Outcome.valueOf(answer.getOutcome().toUpperCase(Locale.ROOT));
    }

    /** @throws FairlaneException.NotFound if there is none of that name */
    public Info get(String name) {
        return info(rpc.call(
                SchedulesGrpc.getGetScheduleMethod(),
                GetScheduleRequest.newBuilder().setName(name).build(),
                Rpc.Repeat.SAFE));
    }

    /** All schedules, by name, fetched a page at a time while the stream is read. */
    public Stream<Info> list() {
        return Stream.iterate(
                        page(""),
                        page -> page != null,
                        page -> page.getNextCursor().isEmpty() ? null : page(page.getNextCursor()))
                .flatMap(page -> page.getSchedulesList().stream())
                .map(Schedules::info);
    }

    private @Nullable ListSchedulesResponse page(String cursor) {
        return rpc.call(
                SchedulesGrpc.getListSchedulesMethod(),
                ListSchedulesRequest.newBuilder()
                        .setPageSize(PAGE)
                        .setCursor(cursor)
                        .build(),
                Rpc.Repeat.SAFE);
    }

    /** No ticks until it is resumed; those that come meanwhile are left out. */
    public Info pause(String name, String why) {
        return info(rpc.call(
                SchedulesGrpc.getPauseScheduleMethod(),
                PauseScheduleRequest.newBuilder().setName(name).setWhy(why).build(),
                Rpc.Repeat.SAFE));
    }

    public Info resume(String name) {
        return info(rpc.call(
                SchedulesGrpc.getResumeScheduleMethod(),
                ResumeScheduleRequest.newBuilder().setName(name).build(),
                Rpc.Repeat.SAFE));
    }

    /** Its open runs go on. */
    public void delete(String name) {
        rpc.call(
                SchedulesGrpc.getDeleteScheduleMethod(),
                DeleteScheduleRequest.newBuilder().setName(name).build(),
                Rpc.Repeat.SAFE,
                fairlane.nextRequestId());
    }

    /** Submits its job now, whatever pause and overlap say. */
    public JobHandle trigger(String name) {
        return fairlane.job(rpc.call(
                        SchedulesGrpc.getTriggerScheduleMethod(),
                        TriggerScheduleRequest.newBuilder().setName(name).build(),
                        Rpc.Repeat.SAFE,
                        fairlane.nextRequestId())
                .getJobId());
    }

    /** The next ticks, at most 100. */
    public List<Instant> preview(String name, int count) {
        return rpc
                .call(
                        SchedulesGrpc.getPreviewScheduleMethod(),
                        PreviewScheduleRequest.newBuilder()
                                .setName(name)
                                .setCount(count)
                                .build(),
                        Rpc.Repeat.SAFE)
                .getTicksList()
                .stream()
                .map(SchedulePreview::getAtMicros)
                .map(Schedules::instant)
                .toList();
    }

    private static Info info(dev.fairlane.protocol.v1.Schedule schedule) {
        return new Info(
                schedule.getName(),
                State.valueOf(schedule.getState().toUpperCase(Locale.ROOT)),
                time(schedule.getNextMicros()),
                time(schedule.getLastTickMicros()),
                schedule.getLastJob().isEmpty() ? Optional.empty() : Optional.of(schedule.getLastJob()),
                schedule.getFired(),
                schedule.getSkipped(),
                schedule.getMissed(),
                schedule.getRefused(),
                List.copyOf(schedule.getOpenJobsList()));
    }

    private static Optional<Instant> time(long micros) {
        return micros == 0 ? Optional.empty() : Optional.of(instant(micros));
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
