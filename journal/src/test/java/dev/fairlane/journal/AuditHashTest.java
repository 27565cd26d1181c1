package dev.fairlane.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.AuditDeed;
import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.AuditHead;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.TenantId;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The form that others check chains by: it must not change. */
class AuditHashTest {
    private static final AuditEntry ENTRY = new AuditEntry(
            new TenantId(7),
            1,
            1_794_700_800_000_000L,
            new Author("0011aabbccdd", "Änne", "admin", "r-1", "t-1", "ab"),
            new AuditDeed("tenant.put", "tenant/acme", "weight 10 → 20", "ticket 5", "cd", "ef"),
            AuditHash.ofReason("ticket 5"),
            "");

    @Test
    void an_entry_is_a_row_of_netstrings() {
        String reason = AuditHash.digest("ticket 5");
        assertThat(new String(AuditHash.canonical("acme", ENTRY), StandardCharsets.UTF_8))
                .isEqualTo(
                        "16:fairlane-audit-1,4:acme,1:1,16:1794700800000000,12:0011aabbccdd,5:Änne,5:admin,3:r-1,3:t-1,2:ab,"
                                + "10:tenant.put,11:tenant/acme,16:weight 10 → 20,64:" + reason + ",2:cd,2:ef,");
    }

    @Test
    void its_hash_depends_on_the_one_before_and_on_the_digest_of_the_reason_alone() {
        String hash = AuditHash.of(AuditHead.NONE, "acme", ENTRY);
        assertThat(hash).hasSize(64).isNotEqualTo(AuditHash.of(hash, "acme", ENTRY));
        assertThat(hash).isEqualTo("28331fa85ee4b676726334f152cae9f818fe0dd0ec2bee8f1b684cd6330bd713");
    }
}
