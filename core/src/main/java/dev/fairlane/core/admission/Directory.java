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

/**
 * Tenants and their job types. Tenant numbers are given in order, so they are places in an array. Made for very many tenants with few
 * types each: names of types and pools are kept once, and one type needs no map.
 */
public final class Directory {
    /** Beyond it a number is no tenant of ours. */
    public static final int MAX_TENANTS = 10_000_000;

    /** Different names that are kept once for all; tenants' types often have the same. */
    private static final int MOST_SHARED = 10_000;

    private @Nullable Entry[] entries = new Entry[64];
    private final NameIndex byName = new NameIndex(this::name);
    private final Map<String, String> shared = new HashMap<>();
    private int highest;

    private static final class Entry {
        Tenant tenant;
        /** Its only type; where there are several, the one asked for last: most tenants submit one type many times. */
        @Nullable JobType last;
        /** All types, since there were two. */
        @Nullable Map<String, JobType> types;

        Entry(Tenant tenant) {
            this.tenant = tenant;
        }

        @Nullable JobType type(String name) {
            if (last != null && last.name().equals(name)) {
                return last;
            }
            if (types == null) {
                return null;
            }
            JobType found = types.get(name);
            last = found == null ? last : found;
            return found;
        }

        void put(JobType type) {
            if (types == null && last != null && !last.name().equals(type.name())) {
                types = new HashMap<>(4);
                types.put(last.name(), last);
            }
            if (types != null) {
                types.put(type.name(), type);
            }
            last = type;
        }

        int size() {
            return types != null ? types.size() : last == null ? 0 : 1;
        }

        List<JobType> inOrder() {
            List<JobType> all = new ArrayList<>();
            if (types != null) {
                all.addAll(types.values());
                all.sort((a, b) -> a.name().compareTo(b.name()));
            } else if (last != null) {
                all.add(last);
            }
            return all;
        }
    }

    public @Nullable Tenant tenant(int number) {
        Entry entry = entry(number);
        return entry == null ? null : entry.tenant;
    }

    public @Nullable Tenant tenant(String name) {
        int number = byName.find(name);
        return number == NameIndex.NONE ? null : tenant(number);
    }

    private String name(int number) {
        Tenant tenant = tenant(number);
        return tenant == null ? "" : tenant.name();
    }

    public @Nullable JobType type(int tenant, String name) {
        Entry entry = entry(tenant);
        return entry == null ? null : entry.type(name);
    }

    public int typeCount(int tenant) {
        Entry entry = entry(tenant);
        return entry == null ? 0 : entry.size();
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
                all.addAll(entry.inOrder());
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
            byName.add(number);
        } else if (entry.tenant.name().equals(tenant.name())) {
            entry.tenant = tenant;
        } else {
            byName.remove(number);
            entry.tenant = tenant;
            byName.add(number);
        }
        highest = Math.max(highest, number);
    }

    public void put(JobType type) {
        Entry entry = entry(type.tenant().number());
        if (entry == null) {
            throw new IllegalStateException("expected a known tenant for type " + type.name() + ", but got "
                    + type.tenant().number());
        }
        entry.put(type.sharing(entry.tenant.id(), shared(type.name()), shared(type.pool())));
    }

    private String shared(String name) {
        String known = shared.get(name);
        if (known == null && shared.size() < MOST_SHARED) {
            shared.put(name, name);
        }
        return known == null ? name : known;
    }

    private @Nullable Entry entry(int number) {
        return number >= 0 && number < entries.length ? entries[number] : null;
    }
}
