package dev.fairlane.core.model;

import java.util.Comparator;

/** A schedule's name is unique inside its tenant. */
public record ScheduleName(TenantId tenant, String name) implements Comparable<ScheduleName> {
    private static final Comparator<ScheduleName> ORDER =
            Comparator.<ScheduleName>comparingInt(one -> one.tenant().number()).thenComparing(ScheduleName::name);

    @Override
    public int compareTo(ScheduleName other) {
        return ORDER.compare(this, other);
    }
}
