package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.ReservedTypes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The end of a job and the job that tells of it are one step. */
class WebhookTest {
    private static final String URL = "https://example.com/hook";

    private final Bed bed = new Bed();

    private static NewJob hooked(String type) {
        JobTerms terms = new JobTerms(JobTerms.DEFAULT_LANE, 0, "", "", URL, false, 0);
        return new NewJob(type, Payload.EMPTY, 0, -1, 0, 0, 0, 0, 0, "", 0, Map.of(), Map.of(), terms);
    }

    private List<JobSpec> deliveries() {
        return bed.facts.stream()
                .filter(fact -> fact instanceof Fact.JobAdded added
                        && added.spec().type().equals(ReservedTypes.WEBHOOK))
                .map(fact -> ((Fact.JobAdded) fact).spec())
                .toList();
    }

    private static String news(JobSpec delivery) {
        return new String(delivery.payload().bytes(), StandardCharsets.UTF_8);
    }

    @Test
    void theDeliveryIsSubmittedInTheStepThatEndsTheJob() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit(hooked("mail"));
        Picked picked = bed.mustPick();
        Decision decision = bed.engine.decide(
                new Command.Complete(id, picked.lease().status().token(), Payload.EMPTY), bed.now);
        assertThat(decision.facts())
                .hasExactlyElementsOfTypes(Fact.JobEnded.class, Fact.TypeSet.class, Fact.JobAdded.class);
        decision.facts().forEach(bed::apply);
        JobSpec delivery = deliveries().getFirst();
        assertThat(delivery.tenant()).isEqualTo(bed.tenant);
        assertThat(delivery.headers()).containsEntry(ReservedTypes.URL_HEADER, URL);
        assertThat(delivery.terms().webhook()).isEmpty();
        assertThat(news(delivery))
                .isEqualTo("{\"event\":\"job.ended\",\"id\":\"" + id
                        + "\",\"tenant\":\"acme\",\"type\":\"mail\",\"state\":\"SUCCEEDED\",\"attempt\":1,"
                        + "\"ended_at\":\"2023-11-14T22:13:20Z\"}");
    }

    @Test
    void everyWayToAnEndIsTold() {
        bed.worker(1, 1, "mail");
        bed.submit(hooked("mail"));
        bed.fail(bed.mustPick(), FailureClass.NON_RETRYABLE);
        bed.send(new Command.Cancel(null, bed.submit(hooked("mail"))));
        NewJob late = Bed.notAfter("mail", bed.now + SECOND);
        JobTerms terms = hooked("mail").terms();
        bed.submit(new NewJob(
                "other", late.payload(), 0, -1, 0, 0, late.notAfter(), 0, 0, "", 0, Map.of(), Map.of(), terms));
        bed.pass(2 * SECOND);
        assertThat(deliveries())
                .extracting(WebhookTest::news)
                .satisfiesExactly(
                        dead -> assertThat(dead).contains("\"DEAD\"", "\"failure_class\":\"NON_RETRYABLE\""),
                        cancelled ->
                                assertThat(cancelled).contains("\"CANCELLED\"").doesNotContain("failure_class"),
                        expired -> assertThat(expired).contains("\"EXPIRED\""));
        assertThat(deliveries()).extracting(JobSpec::id).doesNotHaveDuplicates();
    }

    @Test
    void aRetryIsNoEnd() {
        bed.worker(1, 1, "mail");
        bed.submit(hooked("mail"));
        bed.fail(bed.mustPick(), FailureClass.APP_ERROR);
        assertThat(deliveries()).isEmpty();
    }

    @Test
    void theDeliveryRunsAsAnyJobAndEndsWithoutNews() {
        bed.worker(1, 1, "mail");
        bed.worker(2, 1, ReservedTypes.WEBHOOK);
        bed.submit(hooked("mail"));
        bed.complete(bed.mustPick());
        Picked delivery = bed.mustPick();
        assertThat(delivery.lease().session()).isEqualTo(2);
        bed.complete(delivery);
        assertThat(deliveries()).hasSize(1);
        assertThat(bed.engine.openJobs()).isZero();
    }

    @Test
    void aJobWhoseSpecWasEvictedOrLoadedStillTellsItsEnd() {
        JobId evicted = bed.submit(hooked("mail"));
        bed.engine.evict(((Fact.JobAdded) bed.facts.getLast()).spec());
        bed.send(new Command.Cancel(null, evicted));
        assertThat(deliveries()).hasSize(1);

        Bed other = new Bed();
        JobId id = other.submit(hooked("mail"));
        Fact.JobAdded added = (Fact.JobAdded) other.facts.getLast();
        Engine again = new Engine(other.config, Bed.EPOCH + 1);
        other.facts.stream().filter(fact -> !(fact instanceof Fact.JobAdded)).forEach(again::apply);
        again.load(added.spec().withPayload(Payload.EMPTY), added.status());
        Decision decision = again.decide(new Command.Cancel(null, id), other.now);
        assertThat(decision.facts()).anySatisfy(fact -> assertThat(fact).isInstanceOf(Fact.JobAdded.class));
        assertThat(((Fact.JobAdded) decision.facts().getLast()).id().epoch()).isEqualTo(Bed.EPOCH + 1);
    }

    @Test
    void decidingTwiceWithoutApplyingGivesTheSame() {
        JobId id = bed.submit(hooked("mail"));
        Command cancel = new Command.Cancel(null, id);
        assertThat(bed.engine.decide(cancel, bed.now)).isEqualTo(bed.engine.decide(cancel, bed.now));
        assertThat(bed.state(id)).isEqualTo(JobState.QUEUED);
    }

    @Test
    void nobodySubmitsOrDeclaresTypesOfTheServer() {
        Answer submitted = bed.send(new Command.Submit(bed.newId(), bed.tenant, Bed.job("fairlane.webhook")));
        Answer declared = bed.send(new Command.PutType(bed.tenant, "fairlane.own", "short", 0, 0));
        assertThat(List.of(submitted, declared))
                .allSatisfy(answer ->
                        assertThat(((Answer.Refused) answer).refusal().code()).isEqualTo(RefusalCode.RESERVED_TYPE));
    }
}
