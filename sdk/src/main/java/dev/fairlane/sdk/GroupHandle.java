package dev.fairlane.sdk;

import dev.fairlane.protocol.v1.AwaitGroupRequest;
import dev.fairlane.protocol.v1.CancelGroupRequest;
import dev.fairlane.protocol.v1.CancelGroupResponse;
import dev.fairlane.protocol.v1.CreateGroupRequest;
import dev.fairlane.protocol.v1.GetGroupRequest;
import dev.fairlane.protocol.v1.GroupsGrpc;
import dev.fairlane.protocol.v1.JobGroup;
import dev.fairlane.protocol.v1.ListGroupJobsRequest;
import dev.fairlane.protocol.v1.ListGroupJobsResponse;
import dev.fairlane.protocol.v1.SealGroupRequest;
import dev.fairlane.sdk.internal.Rpc;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that belong together. Costs nothing to make; every question is a call.
 *
 * <pre>{@code
 * GroupHandle group = fairlane.group().name("report").addAll(parts).callback(Job.of("merge")).submit();
 * GroupHandle.Info done = group.await(Duration.ofMinutes(5));
 * }</pre>
 */
public final class GroupHandle {
    private static final Duration AWAIT_STEP = Duration.ofSeconds(30);

    private final Fairlane fairlane;
    private final Rpc rpc;
    private final String id;
    private final List<SubmitResult> submitted;

    GroupHandle(Fairlane fairlane, Rpc rpc, String id, List<SubmitResult> submitted) {
        this.fairlane = fairlane;
        this.rpc = rpc;
        this.id = id;
        this.submitted = submitted;
    }

    /** Where a group stands. */
    public enum State {
        /** It takes more jobs. */
        OPEN,
        SEALED,
        /** Sealed, and all its jobs are at their end. */
        DONE
    }

    /** When the callback of a group is submitted. */
    public enum CallbackOn {
        ALL_DONE,
        ALL_SUCCEEDED
    }

    /**
     * A group as the server saw it at one moment.
     *
     * @param callbackJob the id of the callback's job, once it was submitted
     */
    public record Info(
            String id,
            String name,
            State state,
            int total,
            int succeeded,
            int dead,
            int cancelled,
            int expired,
            Optional<String> callbackJob) {
        public boolean done() {
            return state == State.DONE;
        }
    }

    public String id() {
        return id;
    }

    /** What became of the jobs it was submitted with, in their order; empty for a handle made by id. */
    public List<SubmitResult> submitted() {
        return submitted;
    }

    /** The group now. */
    public Info get() {
        return info(rpc.call(
                GroupsGrpc.getGetGroupMethod(),
                GetGroupRequest.newBuilder().setId(id).build(),
                Rpc.Repeat.SAFE));
    }

    /**
     * Waits until all its jobs are at their end, however they end.
     *
     * @throws FairlaneException.TimedOut if they are not in time; they go on
     */
    public Info await(Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        while (true) {
            Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
            Duration step = left.compareTo(AWAIT_STEP) < 0 ? left : AWAIT_STEP;
            Info info = info(rpc.call(
                    GroupsGrpc.getAwaitGroupMethod(),
                    AwaitGroupRequest.newBuilder()
                            .setId(id)
                            .setTimeoutMs(Math.max(1, step.toMillis()))
                            .build(),
                    Rpc.Repeat.SAFE,
                    step.plusSeconds(10)));
            if (info.done()) {
                return info;
            }
            if (System.nanoTime() - end >= 0) {
                throw new FairlaneException.TimedOut(
                        "WAIT_TIMED_OUT", "group " + id + " is " + info.state() + " after " + timeout, null);
            }
        }
    }

    /** More jobs for a group that is open. */
    public List<SubmitResult> add(List<Job> jobs) {
        return fairlane.submitAll(jobs.stream().map(job -> job.group(id)).toList());
    }

    /** It takes no more jobs. Asking twice does no harm. */
    public Info seal() {
        return info(rpc.call(
                GroupsGrpc.getSealGroupMethod(),
                SealGroupRequest.newBuilder().setId(id).build(),
                Rpc.Repeat.SAFE));
    }

    /** Seals it and asks for all its jobs not to run, or to stop; returns how many were waiting and are cancelled. */
    public int cancel() {
        int cancelled = 0;
        String cursor = "";
        do {
            CancelGroupResponse answer = rpc.call(
                    GroupsGrpc.getCancelGroupMethod(),
                    CancelGroupRequest.newBuilder().setId(id).setCursor(cursor).build(),
                    Rpc.Repeat.SAFE);
            cancelled += answer.getCancelled();
            cursor = answer.getNextCursor();
        } while (!cursor.isEmpty());
        return cancelled;
    }

    /** Its jobs with their results, in the order of their ids, fetched a page at a time while the stream is read. */
    public Stream<JobInfo> jobs() {
        return Stream.iterate(
                        page(""),
                        page -> page != null,
                        page -> page.getNextCursor().isEmpty() ? null : page(page.getNextCursor()))
                .flatMap(page -> page.getJobsList().stream())
                .map(fairlane::info);
    }

    private @Nullable ListGroupJobsResponse page(String cursor) {
        return rpc.call(
                GroupsGrpc.getListGroupJobsMethod(),
                ListGroupJobsRequest.newBuilder().setId(id).setCursor(cursor).build(),
                Rpc.Repeat.SAFE);
    }

    private static Info info(JobGroup group) {
        return new Info(
                group.getId(),
                group.getName(),
                State.valueOf(group.getState().toUpperCase(java.util.Locale.ROOT)),
                group.getTotal(),
                group.getSucceeded(),
                group.getDead(),
                group.getCancelled(),
                group.getExpired(),
                group.getCallbackJob().isEmpty() ? Optional.empty() : Optional.of(group.getCallbackJob()));
    }

    @Override
    public String toString() {
        return "GroupHandle[" + id + "]";
    }

    /** A group to be. */
    public static final class Builder {
        private final Fairlane fairlane;
        private final Rpc rpc;
        private final List<Job> jobs = new ArrayList<>();
        private final CreateGroupRequest.Builder group = CreateGroupRequest.newBuilder();
        private @Nullable Job callback;

        Builder(Fairlane fairlane, Rpc rpc) {
            this.fairlane = fairlane;
            this.rpc = rpc;
        }

        /** For people; at most 128 characters. */
        public Builder name(String name) {
            group.setName(name);
            return this;
        }

        public Builder add(Job job) {
            jobs.add(job);
            return this;
        }

        public Builder addAll(Collection<Job> more) {
            jobs.addAll(more);
            return this;
        }

        /** Submitted when all jobs are at their end, with the group's id and counts in the headers {@code fairlane-group…}. */
        public Builder callback(Job job) {
            this.callback = job;
            return this;
        }

        /** Default {@link CallbackOn#ALL_DONE}. */
        public Builder callbackOn(CallbackOn on) {
            group.setCallbackOn(on.name().toLowerCase(java.util.Locale.ROOT));
            return this;
        }

        /** A group that takes jobs until it is {@linkplain GroupHandle#seal() sealed}; those added so far are submitted. */
        public GroupHandle open() {
            if (callback != null) {
                group.setCallback(callback.encode(fairlane.codec()));
            }
            JobGroup made = rpc.call(
                    GroupsGrpc.getCreateGroupMethod(), group.build(), Rpc.Repeat.SAFE, fairlane.nextRequestId());
            List<SubmitResult> submitted = jobs.isEmpty()
                    ? List.of()
                    : fairlane.submitAll(
                            jobs.stream().map(job -> job.group(made.getId())).toList());
            return new GroupHandle(fairlane, rpc, made.getId(), submitted);
        }

        /** The group with its jobs, sealed. A bad job is refused alone: see {@link GroupHandle#submitted()}. */
        public GroupHandle submit() {
            GroupHandle handle = open();
            handle.seal();
            return handle;
        }
    }
}
