package dev.fairlane.runtime;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.TenantId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Groups of jobs. What holds for the calls of {@link Node} holds here. */
public interface JobGroups {

    /** {@link Answer.GroupIs} or {@link Answer.Refused}. */
    CompletableFuture<Answer> create(TenantId tenant, String name, @Nullable NewJob callback, JobGroup.CallbackOn on);

    /** A group with these members and no more, in one durable step. Members may be refused one by one, as by {@link Node#submit}. */
    CompletableFuture<Submitted> submit(
            TenantId tenant, String name, @Nullable NewJob callback, JobGroup.CallbackOn on, List<NewJob> jobs);

    /** {@link Answer.GroupIs}, also when it was sealed before, or {@link Answer.Refused}. */
    CompletableFuture<Answer> seal(@Nullable TenantId scope, JobId id);

    CompletableFuture<Optional<JobGroup>> get(@Nullable TenantId scope, JobId id);

    /** The group when it is done, or as it is when the time is over; empty when there is no such group. */
    CompletableFuture<Optional<JobGroup>> await(@Nullable TenantId scope, JobId id, long timeoutMicros);

    /** Members in the order of their ids; empty when there is no such group. */
    CompletableFuture<Optional<List<JobId>>> members(
            @Nullable TenantId scope, JobId id, @Nullable JobId after, int limit);

    /**
     * @param group {@link Answer.GroupIs} as it is after all of it, or {@link Answer.Refused}
     * @param jobs as of a submit; empty when the group was refused
     */
    record Submitted(Answer group, List<Answer> jobs, Position position) {}
}
