package dev.fairlane.sdk.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.sdk.Admin;
import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.FairlaneException;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobFilter;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.SubmitStream;
import dev.fairlane.sdk.TenantRules;
import dev.fairlane.sdk.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One client works for many tenants, over one connection for calls and one for streams. */
@ExtendWith(FairlaneExtension.class)
class ManyTenantsTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int TENANTS = 10;

    private Gateway gateway;
    private Fairlane fairlane;

    @BeforeEach
    void connect(TestFairlane test) {
        gateway = new Gateway(test.address());
        fairlane = Fairlane.builder()
                .address(gateway.address())
                .key(test.key())
                .deadline(SOON)
                .workerClock(test.clock())
                .connect();
    }

    @AfterEach
    void close() {
        fairlane.close();
        gateway.close();
    }

    private Fairlane tenant(String name) {
        fairlane.admin()
                .putTenant(
                        name,
                        TenantRules.builder().tier(TenantRules.Tier.ENTERPRISE).build());
        return fairlane.as(
                fairlane.admin().createKey("test", name, Admin.Role.ADMIN).secret());
    }

    private List<Fairlane> tenants() {
        return Stream.iterate(0, i -> i + 1)
                .limit(TENANTS)
                .map(i -> tenant("tenant-" + i))
                .toList();
    }

    /** All types of its jobs, as soon as so many are listed. */
    private static List<String> typesOf(Fairlane tenant, int count) {
        return Awaitility.await()
                .atMost(SOON)
                .until(
                        () -> tenant.list(JobFilter.all())
                                .map(job -> job.type())
                                .sorted()
                                .toList(),
                        types -> types.size() >= count);
    }

    @Test
    void eachSeesItsOwnJobsAndTheServerSeesTwoConnections() {
        List<Fairlane> tenants = tenants();
        List<SubmitStream> streams =
                tenants.stream().map(tenant -> tenant.submitter().open()).toList();
        List<JobHandle> called = new ArrayList<>();
        for (int i = 0; i < TENANTS; i++) {
            called.add(tenants.get(i).submit(Job.of("call-of-" + i)));
            streams.get(i).submit(Job.of("stream-of-" + i));
        }
        streams.forEach(SubmitStream::close);
        for (int i = 0; i < TENANTS; i++) {
            assertThat(typesOf(tenants.get(i), 2)).containsExactly("call-of-" + i, "stream-of-" + i);
        }
        String ofFirst = called.getFirst().id();
        assertThatThrownBy(() -> tenants.getLast().job(ofFirst).get()).isInstanceOf(FairlaneException.NotFound.class);
        assertThat(gateway.connections()).isEqualTo(2);
    }

    @Test
    void aKeyOfAllTenantsSpeaksForEachInItsView() {
        tenant("acme");
        JobHandle job = fairlane.forTenant("acme").submit(Job.of("in-its-name"));
        assertThat(job.get().tenant()).isEqualTo("acme");
        assertThat(fairlane.submit(Job.of("mine")).get().tenant()).isEqualTo("default");
    }

    @Test
    void closingOneLeavesTheOthersWorking(TestFairlane test) {
        Fairlane acme = tenant("acme");
        Fairlane globex = tenant("globex");
        test.worker(acme, worker -> worker.handle("t", Void.class, (ctx, none) -> "by acme"));
        Worker ofGlobex = test.worker(globex, worker -> worker.handle("t", Void.class, (ctx, none) -> "by globex"));
        SubmitStream stream = globex.submitter().open();
        assertThat(acme.submit(Job.of("t")).await(String.class, SOON)).isEqualTo("by acme");

        acme.close();

        assertThat(globex.submit(Job.of("t")).await(String.class, SOON)).isEqualTo("by globex");
        stream.submit(Job.of("t"));
        stream.close();
        assertThat(fairlane.submit(Job.of("t")).get().state()).isEqualTo(JobState.QUEUED);
        assertThat(gateway.connections())
                .as("calls, streams, and a worker each")
                .isEqualTo(4);

        fairlane.close();
        assertThat(ofGlobex.ended()).isDone();
    }

    @Test
    void aLostConnectionIsMadeAgainForAllAndNothingIsLostOrDoubled() throws Exception {
        int jobs = 1_000;
        List<Fairlane> tenants = tenants();
        CountDownLatch begun = new CountDownLatch(TENANTS * 2);
        List<Thread> submitters = new ArrayList<>();
        List<SubmitStream> streams = new ArrayList<>();
        for (Fairlane tenant : tenants) {
            SubmitStream stream = tenant.submitter()
                    .batchSize(20)
                    .window(4)
                    .onBatch(batch -> begun.countDown())
                    .open();
            streams.add(stream);
            submitters.add(Thread.ofVirtual().start(() -> {
                for (int i = 0; i < jobs; i++) {
                    stream.submit(Job.of("t").delay(Duration.ofHours(1)));
                }
                stream.flush();
            }));
        }
        for (int cut = 0; cut < 3; cut++) {
            begun.await();
            gateway.cut();
            tenants.getFirst().status();
        }
        for (Thread submitter : submitters) {
            assertThat(submitter.join(SOON)).isTrue();
        }
        streams.forEach(SubmitStream::close);
        for (Fairlane tenant : tenants) {
            assertThat(typesOf(tenant, jobs)).hasSize(jobs);
        }
        assertThat(gateway.connections()).isBetween(4, 8);
    }

    @Test
    void whatARefusedKeySentDoesNotUseUpTheConnectionOfOthers() {
        Fairlane acme = tenant("acme");
        Fairlane stranger = fairlane.as("flk_nobody_knows_this_one");
        byte[] payload = new byte[200_000];
        try (SubmitStream stream = acme.submitter().open()) {
            for (int round = 0; round < 50; round++) {
                SubmitStream refused = stranger.submitter().batchSize(2).open();
                assertThatThrownBy(() -> {
                            for (int i = 0; i < 10; i++) {
                                refused.submit(Job.of("t", payload));
                            }
                            refused.flush();
                        })
                        .isInstanceOf(FairlaneException.Denied.class);
                refused.close();
            }
            for (int i = 0; i < 50; i++) {
                stream.submit(Job.of("t", payload));
            }
            stream.flush();
        }
        assertThat(typesOf(acme, 50)).hasSize(50);
        assertThat(gateway.connections()).isEqualTo(2);
    }
}
