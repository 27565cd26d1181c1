package dev.fairlane.sdk.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.sdk.Audit;
import dev.fairlane.sdk.Audit.Filter;
import dev.fairlane.sdk.AuditChain;
import dev.fairlane.sdk.AuditEntry;
import dev.fairlane.sdk.AuditHead;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The audit as the SDK shows and verifies it, on the real server. */
@ExtendWith(FairlaneExtension.class)
class AuditTest {
    private Audit audit;

    @BeforeEach
    void change(TestFairlane test) {
        audit = test.client().audit();
        test.client().admin().putTenant("acme", 20);
        test.client().admin().putTenant("acme", 30);
    }

    @Test
    void changesAreListedTheNewestFirst() {
        assertThat(audit.list(Filter.ALL.tenant("acme")).map(AuditEntry::summary))
                .containsExactly("weight 20 → 30", "made: tier STANDARD; weight 20");
        assertThat(audit.list(Filter.ALL.ofTheSystem()).map(AuditEntry::chain)).allMatch(String::isEmpty);
    }

    @Test
    void chainsHoldAndKeptHeadsAreThere() {
        AuditHead kept = audit.heads("acme").getFirst();

        List<AuditChain> chains = audit.verify(null);

        assertThat(chains).allSatisfy(chain -> assertThat(chain.end()).isEmpty());
        assertThat(chains).anyMatch(chain -> chain.has(kept.hash()) && chain.entries() == 2);
    }

    @Test
    void anAlteredEntryIsFound() {
        AuditChain chain = new AuditChain(audit.heads("acme").getFirst());
        List<AuditEntry> oldestFirst =
                audit.list(Filter.ALL.tenant("acme")).toList().reversed();
        AuditEntry real = oldestFirst.getLast();
        Stream.of(oldestFirst.getFirst(), aimedAt("tenant/other", real)).forEach(chain::follow);

        assertThat(chain.end()).hasValueSatisfying(place -> assertThat(place).contains("entry 2"));
    }

    @Test
    void anExportIsAHeadAndItsEntries() {
        List<String> lines = new ArrayList<>();
        audit.export("acme", lines::add);

        assertThat(lines).hasSize(3);
        assertThat(lines.getFirst()).contains("\"chain\":\"acme\"", "\"anchor_hash\":");
        assertThat(lines.getLast()).contains("\"action\":\"tenant.put\"").doesNotContain("\"reason\"");
    }

    private static AuditEntry aimedAt(String target, AuditEntry entry) {
        return new AuditEntry(
                entry.chain(),
                entry.sequence(),
                entry.at(),
                entry.keyId(),
                entry.keyName(),
                entry.role(),
                entry.requestId(),
                entry.traceId(),
                entry.requestDigest(),
                entry.action(),
                target,
                entry.summary(),
                entry.reason(),
                entry.reasonDigest(),
                entry.beforeDigest(),
                entry.afterDigest(),
                entry.hash());
    }
}
