package dev.fairlane.runtime;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobView;
import dev.fairlane.journal.DeadFilter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Brings dead letters back, the oldest first. One that dies again died after the operation began, and is not found by it again. */
record DeadReplay(
        LocalDeadLetters letters,
        DeadFilter which,
        int rate,
        int canaries,
        String by,
        String why,
        Function<JobSpec, Optional<String>> unfit)
        implements DeadWork {

    @Override
    public String kind() {
        return "replay_dead";
    }

    @Override
    public CompletableFuture<Treated> treat(List<JobId> ids) {
        return letters.replay(scope(), ids, null, by, why, unfit, null).thenApply(answers -> {
            int done = 0;
            int failed = 0;
            String note = "";
            for (Answer answer : answers.values()) {
                switch (answer) {
                    case Answer.Replayed replayed when replayed.outcome() == Answer.ReplayOutcome.REPLAYED -> done++;
                    case Answer.Refused refused -> {
                        failed++;
                        note = refused.refusal().message();
                    }
                    default -> {}
                }
            }
            return new Treated(done, ids.size() - done - failed, failed, note);
        });
    }

    @Override
    public CompletableFuture<Canaries> look(List<JobId> ids) {
        CompletableFuture<Canaries> all = CompletableFuture.completedFuture(Canaries.GOOD);
        for (JobId id : ids) {
            all = all.thenCombine(letters.look(scope(), id), (worst, job) -> worse(worst, judged(job)));
        }
        return all;
    }

    private static Canaries judged(Optional<JobView> job) {
        JobState is = job.map(view -> view.status().state()).orElse(JobState.DEAD);
        if (is == JobState.SUCCEEDED) {
            return Canaries.GOOD;
        }
        return is.terminal() ? Canaries.BAD : Canaries.UNDER_WAY;
    }

    private static Canaries worse(Canaries one, Canaries other) {
        if (one == Canaries.BAD || other == Canaries.BAD) {
            return Canaries.BAD;
        }
        return one == Canaries.GOOD ? other : one;
    }
}
