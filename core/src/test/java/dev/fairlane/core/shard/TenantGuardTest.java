package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.EngineConfig;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TenantGuardTest {
    @Test
    void eachTypeIsFoundByItsNameHoweverManyThereAre() {
        TenantGuard guard = new TenantGuard(1, new Lookback(EngineConfig.DEFAULT.failures()));
        List<TypeHealth> added = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            assertThat(guard.type("type-" + i)).isNull();
            TypeHealth health = new TypeHealth(guard, "type-" + i);
            guard.add(health);
            added.add(health);
            for (TypeHealth each : added) {
                assertThat(guard.type(each.name)).isSameAs(each);
            }
        }
        int seen = 0;
        for (TypeHealth health = guard.types; health != null; health = health.next) {
            seen++;
        }
        assertThat(seen).isEqualTo(100);
    }
}
