package dev.fairlane.sdk;

import dev.fairlane.protocol.v1.DeleteScheduleRequest;
import dev.fairlane.protocol.v1.GetScheduleRequest;
import dev.fairlane.protocol.v1.ListSchedulesRequest;
import dev.fairlane.protocol.v1.ListSchedulesResponse;
import dev.fairlane.protocol.v1.NamedSchedule;
import dev.fairlane.protocol.v1.PauseScheduleRequest;
import dev.fairlane.protocol.v1.PreviewScheduleRequest;
import dev.fairlane.protocol.v1.PutScheduleItem;
import dev.fairlane.protocol.v1.PutScheduleRequest;
import dev.fairlane.protocol.v1.PutScheduleResponse;
import dev.fairlane.protocol.v1.PutSchedulesRequest;
import dev.fairlane.protocol.v1.ResumeScheduleRequest;
import dev.fairlane.protocol.v1.SchedulePreview;
import dev.fairlane.protocol.v1.SchedulesGrpc;
import dev.fairlane.protocol.v1.TriggerScheduleRequest;
import dev.fairlane.sdk.internal.Errors;
import dev.fairlane.sdk.internal.Rpc;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Jobs by the clock: declare schedules, look at them, steer them. */
public final class Schedules {
    private static final int PAGE = 200;

    /** The server's bound on one call. */
    private static final int BATCH_SCHEDULES_MAX = 1_000;

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
     * What declaring one of many schedules came to.
     *
     * @param outcome null when it was refused
     * @param refusal why; null when it was not
     */
    public record PutResult(
            String name,
            @Nullable Outcome outcome,
            @Nullable FairlaneException refusal) {

        /** @throws FairlaneException the refusal, if it was refused */
        public Outcome orThrow() {
            if (outcome == null) {
                throw refusal != null ? refusal : new IllegalStateException("neither taken nor refused");
            }
            return outcome;
        }
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
        return outcome(answer.getOutcome());
    }

    /**
     * The same for many, with one call per 1,000. They are independent: one that cannot be is refused alone.
     *
     * @return one result per schedule, in order
     * @throws FairlaneException if a call failed as a whole; schedules of earlier calls are what was said
     */
    public List<PutResult> putAll(List<Schedule> schedules) {
        List<PutResult> results = new ArrayList<>(schedules.size());
        PutSchedulesRequest.Builder part = PutSchedulesRequest.newBuilder();
        long bytes = 0;
        for (Schedule schedule : schedules) {
            NamedSchedule named = NamedSchedule.newBuilder()
                    .setName(schedule.name())
                    .setSpec(schedule.encode(fairlane.codec()))
                    .build();
            boolean full = part.getSchedulesCount() == BATCH_SCHEDULES_MAX
                    || bytes + named.getSerializedSize() > BatchStream.BATCH_BYTES_MAX;
            if (full && part.getSchedulesCount() > 0) {
                putPart(part.build(), results);
                part.clear();
                bytes = 0;
            }
            part.addSchedules(named);
            bytes += named.getSerializedSize();
        }
        if (part.getSchedulesCount() > 0) {
            putPart(part.build(), results);
        }
        return results;
    }

    private void putPart(PutSchedulesRequest part, List<PutResult> results) {
        for (PutScheduleItem item : rpc.call(SchedulesGrpc.getPutSchedulesMethod(), part, Rpc.Repeat.SAFE)
                .getItemsList()) {
            results.add(
                    item.hasProblem()
                            ? new PutResult(item.getName(), null, Errors.of(item.getProblem()))
                            : new PutResult(item.getName(), outcome(item.getOutcome()), null));
        }
    }

    private static Outcome outcome(String word) {
        return Outcome.valueOf(word.toUpperCase(Locale.ROOT));
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
