package dev.fairlane.journal.memory;

import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.KeyName;
import dev.fairlane.core.model.KeyProbe;
import dev.fairlane.core.model.StoredKey;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.RecoverySink;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Rows of keys, by the time of their submit. */
final class StoredKeys {
    private static final Comparator<Row> ORDER = Comparator.<Row>comparingLong(row -> row.meaning.submittedAt())
            .thenComparing(row -> row.meaning.id())
            .thenComparing(row -> row.key);

    private final TreeSet<Row> rows = new TreeSet<>(ORDER);

    private record Row(TenantId tenant, String key, StoredKey meaning) {}

    void remember(JobSpec spec) {
        StoredKey meaning = new StoredKey(spec.id(), spec.bodyHash(), spec.submittedAt(), null);
        if (!spec.idempotencyKey().isEmpty()) {
            rows.add(new Row(spec.tenant(), spec.idempotencyKey(), meaning));
        }
        if (!spec.terms().uniqueKey().isEmpty()) {
            String name = KeyName.unique(spec.type(), spec.terms().uniqueKey());
            rows.add(new Row(spec.tenant(), name, new StoredKey(spec.id(), 0, spec.submittedAt(), null)));
        }
    }

    void tell(RecoverySink sink, long recentFrom) {
        for (Row row : rows) {
            StoredKey meaning = row.meaning;
            if (meaning.submittedAt() >= recentFrom) {
                sink.key(row.tenant, row.key, meaning.id(), meaning.bodyHash(), meaning.submittedAt());
            } else {
                sink.sealedKey(row.tenant, row.key, meaning.submittedAt());
            }
        }
    }

    Optional<StoredKey> find(KeyProbe probe) {
        List<StoredKey> found = rows.stream()
                .filter(row -> row.tenant.equals(probe.tenant())
                        && row.key.equals(probe.key())
                        && row.meaning.submittedAt() >= probe.from()
                        && row.meaning.submittedAt() < probe.to())
                .map(Row::meaning)
                .toList();
        return found.isEmpty() ? Optional.empty() : Optional.of(found.getLast());
    }

    void drop(long before) {
        rows.removeIf(row -> row.meaning.submittedAt() < before);
    }
}
