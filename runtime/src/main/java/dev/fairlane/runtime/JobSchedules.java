package dev.fairlane.runtime;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.TenantId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Jobs by the clock. What holds for the calls of {@link Node} holds here. */
public interface JobSchedules {

    /**
     * {@link Answer.ScheduleIs} or {@link Answer.Refused}.
     *
     * @param author who asks, for the audit; null for nobody
     */
    CompletableFuture<Answer> put(Command.PutSchedule put, @Nullable Author author);

    /**
     * The same for each of many, in their order, and with one commit for all of them.
     *
     * @param caller whose turn it uses
     */
    CompletableFuture<List<Answer>> putAll(TenantId caller, List<Command.PutSchedule> puts, @Nullable Author author);

    /** {@link Answer.ScheduleIs} or {@link Answer.Refused}. */
    CompletableFuture<Answer> pause(Command.PauseSchedule pause, @Nullable Author author);

    /** {@link Answer.ScheduleIs} as it was, or {@link Answer.Refused}. */
    CompletableFuture<Answer> delete(ScheduleName id, @Nullable Author author);

    /** Submits its job now: {@link Answer.Submitted} or {@link Answer.Refused}. */
    CompletableFuture<Answer> trigger(ScheduleName id, @Nullable Author author);

    CompletableFuture<Optional<Schedule>> get(ScheduleName id);

    /** In the order of tenants and names, up to {@code limit} behind {@code after}. */
    CompletableFuture<List<Schedule>> list(@Nullable TenantId scope, @Nullable ScheduleName after, int limit);
}
