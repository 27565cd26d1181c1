package dev.fairlane.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import org.junit.jupiter.api.Test;

class TenantNumbersTest {
    private static final long NOW = 1_700_000_000_000_000L;

    @Test
    void oneTenantMoreThanThereMayBeIsToldHowManyThereAre() {
        Directory directory = new Directory();
        directory.put(new Tenant(new TenantId(Directory.MAX_TENANTS), "last", 10, NOW));
        Admission admission = new Admission(EngineConfig.DEFAULT, directory);

        Decision refused = admission.putTenant(new Command.PutTenant("one-more", 10), NOW);
        assertThat(refused.facts()).isEmpty();
        assertThat(refused.answer()).isInstanceOfSatisfying(Answer.Refused.class, answer -> {
            assertThat(answer.refusal().code()).isEqualTo(RefusalCode.INVALID_ARGUMENT);
            assertThat(answer.refusal().limit()).isEqualTo(Directory.MAX_TENANTS);
            assertThat(answer.refusal().present()).isEqualTo(Directory.MAX_TENANTS);
        });

        assertThat(admission.putTenant(new Command.PutTenant("last", 20), NOW).facts())
                .as("those there are can still be changed")
                .hasSize(1);
    }
}
