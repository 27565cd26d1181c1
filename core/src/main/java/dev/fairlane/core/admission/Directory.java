package dev.fairlane.core.admission;

import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tenants and their job types. Tenant numbers are given in order, so they are places in an array. */
public final class Directory {
    /** Beyond it a number is no tenant of ours. */
    public static final int MAX_TENANTS = 10_000_000;

    private @Nullable Entry[] entries = new Entry[64];
    private final Map<String, Tenant> byName = new HashMap<>();
    private int highest;

    private static final class Entry {
        Tenant tenant;
        final Map<String, JobType> types = new HashMap<>(4);
        /** The type asked for last; most tenants submit one type many times. */
        @Nullable JobType last;

        Entry(Tenant tenant) {
            this.tenant = tenant;
        }
    }

    public @Nullable Tenant tenant(int number) {
        Entry entry = entry(number);
        return entry == null ? null : entry.tenant;
    }

    public @Nullable Tenant tenant(String name) {
        return byName.get(name);
    }

    public @Nullable JobType type(int tenant, String name) {
        Entry entry = entry(tenant);
        if (entry == null) {
            return null;
        }
        if (entry.last == null || !entry.last.name().equals(name)) {
            entry.last = entry.types.get(name);
        }
        return entry.last;
    }

    public int typeCount(int tenant) {
        Entry entry = entry(tenant);
        return entry == null ? 0 : entry.types.size();
    }

    /** The number the next new tenant gets; 0 stays free. */
    public TenantId nextId() {
        return new TenantId(highest + 1);
    }

    public int highest() {
        return highest;
    }

    public List<Tenant> tenants() {
        List<Tenant> all = new ArrayList<>(byName.size());
        for (int number = 0; number <= highest; number++) {
            Tenant tenant = tenant(number);
            if (tenant != null) {
                all.add(tenant);
            }
        }
        return all;
    }

    /** Types by name, of one tenant or of all. */
    public List<JobType> types(@Nullable TenantId scope) {
        List<JobType> all = new ArrayList<>();
        for (int number = 0; number <= highest; number++) {
            Entry entry = scope == null || scope.number() == number ? entry(number) : null;
            if (entry != null) {
                List<JobType> own = new ArrayList<>(entry.types.values());
                own.sort((a, b) -> a.name().compareTo(b.name()));
                all.addAll(own);
            }
        }
        return all;
    }

    public void put(Tenant tenant) {
        int number = tenant.id().number();
        if (number < 0 || number > MAX_TENANTS) {
            throw new IllegalStateException("expected a tenant number up to " + MAX_TENANTS + ", but got " + number);
        }
        if (number >= entries.length) {
            entries = Arrays.copyOf(entries, Math.max(number + 1, entries.length * 2));
        }
        Entry entry = entries[number];
        if (entry == null) {
            entries[number] = new Entry(tenant);
        } else {
            byName.remove(entry.tenant.name());
            entry.tenant = tenant;
        }
        byName.put(tenant.name(), tenant);
        highest = Math.max(highest, number);
    }

    public void put(JobType type) {
        Entry entry = entry(type.tenant().number());
        if (entry == null) {
            throw new IllegalStateException("expected a known tenant for type " + type.name() + ", but got "
                    + type.tenant().number());
        }
        entry.types.put(type.name(), type);
        entry.last = type;
    }

    private @Nullable Entry entry(int number) {
        return number >= 0 && number < entries.length ? entries[number] : null;
    }
}
