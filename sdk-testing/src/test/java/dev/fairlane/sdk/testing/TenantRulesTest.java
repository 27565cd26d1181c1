package dev.fairlane.sdk.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.sdk.Admin.TenantInfo;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobNeeds;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.Resources;
import dev.fairlane.sdk.ServerStatus;
import dev.fairlane.sdk.TenantRules;
import dev.fairlane.sdk.TypeRules;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What the SDK says about tenants, needs and resources comes back from the real server as it was said. */
class TenantRulesTest {
    @Test
    void rulesOfATenantComeBack() {
        try (TestFairlane test = TestFairlane.start()) {
            List<Duration> aging =
                    IntStream.range(0, 10).mapToObj(Duration::ofMinutes).toList();
            TenantRules rules = TenantRules.builder()
                    .tier(TenantRules.Tier.PRO)
                    .submitRate(5_000)
                    .maxOpenJobs(9)
                    .inFlight(Pool.SHORT, 100)
                    .reserved(Pool.LONG, 2)
                    .lane("training", 20, aging)
                    .concurrencyLimit("user-*", 2)
                    .quota(TenantRules.QuotaKind.SLOT_SECONDS, 100_000, 200_000)
                    .closedTypes(true)
                    .build();
            TenantInfo put = test.client().admin().putTenant("acme", rules);
            assertThat(put.rules()).isEqualTo(rules);
            assertThat(put.weight()).isEqualTo(100);
            assertThat(test.client().admin().tenant("acme")).isEqualTo(put);

            TenantInfo changed = test.client()
                    .admin()
                    .putTenant(
                            "acme",
                            TenantRules.builder()
                                    .inFlight(Pool.MEDIUM, 3)
                                    .submitRate(0)
                                    .build());
            assertThat(changed.rules().inFlight()).isEqualTo(Map.of("short", 100, "medium", 3));
            assertThat(changed.rules().submitRate()).isEmpty();
            assertThat(changed.effective().orElseThrow().submitRate()).hasValue(10_000);
            assertThat(changed.effective().orElseThrow().quenchedSince()).isEmpty();
            assertThat(changed.rules().laneWeights()).isEqualTo(Map.of("training", 20));
        }
    }

    @Test
    void whatJobsNeedAndWorkersHaveComesBack() {
        try (TestFairlane test = TestFairlane.start()) {
            JobNeeds ofType = JobNeeds.NONE
                    .withRate("mail", 3)
                    .withDemand(Resources.cores(0.5).andMemoryMib(256))
                    .withRequires(List.of("arm"));
            test.client()
                    .admin()
                    .putType(
                            null,
                            "render",
                            Pool.SHORT,
                            0,
                            null,
                            TypeRules.builder().needs(ofType).build());
            JobNeeds needs = test.client()
                    .submit(Job.of("render").concurrencyKey("user-7").fairKey("u"))
                    .get()
                    .needs();
            assertThat(needs).isEqualTo(ofType.withConcurrencyKey("user-7").withFairKey("u"));
            assertThat(test.client().submit(Job.of("plain")).get().needs()).isEqualTo(JobNeeds.NONE);

            Resources resources = Resources.cores(8).andMemoryMib(65_536).andGpus(2);
            test.worker(worker -> worker.handle("other", String.class, (ctx, text) -> text)
                    .resources(resources)
                    .tags("arm", "gpu"));
            Awaitility.await().ignoreExceptions().untilAsserted(() -> {
                ServerStatus.WorkerStatus worker =
                        test.client().status().workers().getFirst();
                assertThat(worker.resources()).isEqualTo(resources);
                assertThat(worker.tags()).containsExactly("arm", "gpu");
            });
        }
    }
}
