package dev.fairlane.sdk.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobChange;
import dev.fairlane.sdk.JobExplanation;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobInfo;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.OpenJobs;
import dev.fairlane.sdk.Operation;
import dev.fairlane.sdk.Pauses;
import dev.fairlane.sdk.Pauses.Target;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.Usage;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Asking why jobs wait, holding them back, changing many, and what was used, as the SDK does it on the real server. */
class SteeringTest {
    // no month ends while it runs
    @RegisterExtension
    static final FairlaneExtension FAIRLANE =
            FairlaneExtension.with(test -> test.startAt(Instant.parse("2030-06-15T12:00:00Z")));

    private TestFairlane test;
    private Fairlane client;

    @BeforeEach
    void start(TestFairlane given) {
        test = given;
        client = test.client();
    }

    @Test
    void aJobTellsWhyItWaitsAndWhatWouldLetItGoOn() {
        JobHandle lonely = client.submit(Job.of("lonely", 1));
        JobExplanation why = lonely.explain();
        assertThat(why.state()).isEqualTo(JobState.QUEUED);
        assertThat(why.reasons()).extracting(JobExplanation.Reason::code).containsExactly("no_worker");
        assertThat(why.reasons().getFirst().unblock()).isNotEmpty();
        assertThat(why.summary()).isNotEmpty();
        assertThat(why.pool()).isEqualTo("short");
        assertThat(why.share())
                .hasValueSatisfying(share -> assertThat(share.waiting()).isEqualTo(1));

        Instant due = test.clock().instant().plusSeconds(300).truncatedTo(ChronoUnit.MILLIS);
        JobExplanation later = client.submit(Job.of("lonely", 1).runAt(due)).explain();
        assertThat(later.goesOnAt()).contains(due);
        lonely.cancel();
        assertThat(lonely.explain().reasons()).isEmpty();
    }

    @Test
    void everyKindOfThingIsPausedListedAndResumed() {
        test.worker("mail", Integer.class, (ctx, n) -> n);
        List<Target> targets = List.of(
                Target.type("mail").of("default"),
                Target.lane("imports").of("default"),
                Target.tenant("default"),
                Target.pool(Pool.SHORT),
                Target.system());
        for (Target target : targets) {
            Pauses.Pause paused = client.pauses().pause(target, "to see");
            assertThat(paused.target()).isEqualTo(target);
            assertThat(paused.paused()).isTrue();
            assertThat(paused.why()).isEqualTo("to see");
            assertThat(paused.by()).isNotEmpty();
        }
        assertThat(client.pauses().list())
                .extracting(Pauses.Pause::target)
                .containsExactlyInAnyOrderElementsOf(targets);
        JobHandle held = client.submit(Job.of("mail", 1));
        assertThat(held.explain().reasons())
                .extracting(JobExplanation.Reason::code)
                .contains("maintenance", "paused");
        for (Target target : targets) {
            assertThat(client.pauses().resume(target, "seen").paused()).isFalse();
        }
        assertThat(client.pauses().list()).isEmpty();
        assertThat(test.finish(held).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void manyJobsAreChangedPausedResumedAndCancelledByFilter() {
        for (int i = 0; i < 5; i++) {
            client.submit(Job.of("bulk", i).tag("campaign", i < 3 ? "spring" : "autumn"));
        }
        var spring = client.jobs(OpenJobs.ALL.type("bulk").tags(Map.of("campaign", "spring")));

        Operation changed = ended(spring.rate(1_000).change(JobChange.of().priority(1), "more urgent"));
        assertThat(changed.state()).isEqualTo("done");
        assertThat(changed.done()).isEqualTo(3);
        assertThat(changed.matched()).isEqualTo(3);
        assertThat(changed.why()).isEqualTo("more urgent");
        assertThat(test.submitted("bulk"))
                .filteredOn(job -> job.priority() == 1)
                .hasSize(3);
        assertThat(ended(spring.pause("not yet")).done()).isEqualTo(3);
        assertThat(test.submitted("bulk")).filteredOn(JobInfo::paused).hasSize(3);
        assertThat(ended(spring.resume("now")).done()).isEqualTo(3);
        assertThat(ended(spring.cancel("it is over")).done()).isEqualTo(3);
        assertThat(ended(client.jobs(OpenJobs.ALL).cancel("all")).done()).isEqualTo(2);
        assertThat(client.operations().list()).hasSize(5).first().isEqualTo(lastOf("all"));
        assertThatThrownBy(() -> spring.change(JobChange.of().payload(1), "no"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private Operation lastOf(String why) {
        return client.operations().list().stream()
                .filter(operation -> operation.why().equals(why))
                .findFirst()
                .orElseThrow();
    }

    private Operation ended(Operation begun) {
        return await().until(() -> client.operations().get(begun.id()), Operation::ended);
    }

    @Test
    void whatWasUsedIsToldByTypeAndInTotal() {
        test.worker(worker ->
                worker.handle("mail", Integer.class, (ctx, n) -> n).handle("sms", Integer.class, (ctx, n) -> n));
        test.run(Job.of("mail", 1));
        test.run(Job.of("mail", 2));
        test.run(Job.of("sms", 3));
        Usage usage = client.usage(Usage.Query.THIS_MONTH.by(Usage.By.TYPE));
        assertThat(usage.total().jobs()).isEqualTo(3);
        assertThat(usage.total().succeeded()).isEqualTo(3);
        assertThat(usage.entries())
                .extracting(Usage.Entry::type, Usage.Entry::jobs)
                .containsExactlyInAnyOrder(tuple("mail", 2L), tuple("sms", 1L));
        assertThat(test.client("acme").usage(Usage.Query.THIS_MONTH).total().jobs())
                .as("nobody sees another tenant's")
                .isZero();
    }
}
