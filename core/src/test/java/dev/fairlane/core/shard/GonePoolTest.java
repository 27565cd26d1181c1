package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.HOUR;
import static dev.fairlane.core.shard.Bed.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Answer.ReplayOutcome;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobGroup.CallbackOn;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.WorkerOffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pool that is taken out of the settings: its jobs go to the first one, as new jobs of their types do. */
class GonePoolTest {
    private final Bed bed = new Bed(withGpu());

    private static EngineConfig withGpu() {
        List<PoolRules> pools = new ArrayList<>(PoolRules.DEFAULTS);
        pools.add(new PoolRules("gpu", 90 * SECOND, 2, 2, HOUR, 0, SECOND, 0, PoolRules.PER_SLOT));
        return EngineConfig.DEFAULT.withPools(pools);
    }

    @BeforeEach
    void aTypeOfThatPool() {
        bed.send(new Command.PutType(bed.tenant, "train", "gpu", 0, 0));
        bed.engine.openSession(
                1, new WorkerOffer("worker-1", null, List.of("train"), Map.of("gpu", 1, "short", 1)), bed.now);
    }

    /** A start from what is stored, with other settings. */
    private void takeThePoolOut() {
        Engine again = new Engine(EngineConfig.DEFAULT, 99);
        bed.facts.forEach(again::apply);
        bed.engine = again;
    }

    private Picked runs() {
        bed.worker(2, 9, "train", "mail");
        return bed.mustPick();
    }

    @Test
    void oneThatWaitsRunsInTheFirst() {
        JobId id = bed.submit("train");
        takeThePoolOut();
        Picked picked = runs();
        assertThat(picked.lease().id()).isEqualTo(id);
        bed.complete(picked);
        assertThat(bed.state(id)).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void oneThatRunsIsHeardOf() {
        JobId id = bed.submit("train");
        Picked picked = bed.mustPick();
        takeThePoolOut();
        bed.complete(picked);
        assertThat(bed.state(id)).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void oneThatWasStoredIsLoaded() {
        JobId id = bed.submit(Bed.later("train", SECOND));
        Fact.JobAdded job = (Fact.JobAdded) bed.facts.removeLast();
        takeThePoolOut();
        bed.engine.load(job.spec(), job.status());
        bed.pass(2 * SECOND);
        assertThat(runs().lease().id()).isEqualTo(id);
    }

    @Test
    void oneThatIsFarComesBackBeforeItIsDue() {
        JobId id = bed.submit(Bed.later("train", HOUR));
        Fact.JobAdded job = (Fact.JobAdded) bed.facts.removeLast();
        takeThePoolOut();
        bed.engine.loadFar(bed.tenant, 1);
        bed.engine.arrive(job.spec(), job.status(), false);
        bed.pass(HOUR + SECOND);
        assertThat(runs().lease().id()).isEqualTo(id);
    }

    @Test
    void theCallbackOfAGroupIsOneOfTheFirst() {
        Answer.GroupIs group = (Answer.GroupIs) bed.send(
                new Command.CreateGroup(bed.newId(), bed.tenant, "night", Bed.job("train"), CallbackOn.ALL_DONE));
        JobTerms terms =
                new JobTerms(JobTerms.DEFAULT_LANE, 0, "", group.group().id().toString(), "", false, 0);
        bed.submit(new NewJob("mail", Payload.EMPTY, 0, -1, 0, 0, 0, 0, 0, "", 0, Map.of(), Map.of(), terms));
        bed.send(new Command.SealGroup(null, group.group().id()));
        takeThePoolOut();
        bed.complete(runs());
        assertThat(bed.mustPick().lease().spec().type()).isEqualTo("train");
    }

    @Test
    void aDeadOneComesBackInTheFirst() {
        JobId id = bed.submit("train");
        bed.fail(bed.mustPick(), FailureClass.NON_RETRYABLE);
        takeThePoolOut();
        assertThat(bed.replay(id)).isEqualTo(new Answer.Replayed(id, ReplayOutcome.REPLAYED, JobState.QUEUED));
        assertThat(runs().lease().id()).isEqualTo(id);
    }

    @Test
    void itsPauseCanBeEnded() {
        bed.send(new Command.SetGate(Gate.Kind.POOL, bed.tenant, "gpu", true, "ops", ""));
        takeThePoolOut();
        assertThat(bed.engine.gates(null)).hasSize(1);
        bed.send(new Command.SetGate(Gate.Kind.POOL, bed.tenant, "gpu", false, "ops", ""));
        assertThat(bed.engine.gates(null)).isEmpty();
    }
}
