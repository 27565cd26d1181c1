package dev.fairlane.core.shard;

import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.TenantId;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Fair share among siblings written down naively: every one is brought up to date at every event. */
final class PlainShare {
    static final class Account {
        double v;
        int held;
        int weight;
        long idleSince;
        boolean eligible;
    }

    /** Workers of one kind. */
    record Kind(@Nullable TenantId scope, Set<String> types) {}

    private final EngineConfig config;
    final Map<Integer, Account> accounts = new TreeMap<>();
    /** By kind of worker, the tenants that have a job for it. */
    private Map<Kind, Set<Integer>> kinds = Map.of();
    /** Whether siblings compete in kinds of one tenant too. */
    private final boolean inScoped;
    /** V of the kinds. */
    private final Map<Kind, Double> virtual = new HashMap<>();

    private long at;
    /** Weights of those that are eligible or hold slots. */
    long active;

    PlainShare(EngineConfig config, boolean inScoped, long now) {
        this.config = config;
        this.inScoped = inScoped;
        this.at = now;
    }

    Account account(int tenant, int weight) {
        Account account = accounts.computeIfAbsent(tenant, t -> new Account());
        account.weight = weight;
        return account;
    }

    /** A lane that never had another beside it: nobody counts what it uses of its own. */
    private boolean alone() {
        return inScoped && accounts.size() < 2;
    }

    void tick(long now) {
        if (alone()) {
            at = now;
            return;
        }
        for (Account account : accounts.values()) {
            account.v += (double) account.held * (now - at) / account.weight;
        }
        at = now;
        kinds.forEach((kind, tenants) -> {
            if ((inScoped || kind.scope == null) && !tenants.isEmpty()) {
                double smallest = Double.MAX_VALUE;
                for (int tenant : tenants) {
                    smallest = Math.min(smallest, accounts.get(tenant).v);
                }
                virtual.merge(kind, smallest, Math::max);
            }
        });
    }

    void acquire(int tenant) {
        accounts.get(tenant).held++;
    }

    void release(int tenant, long ranMicros) {
        Account account = accounts.get(tenant);
        account.held--;
        if (!alone()) {
            account.v += Math.max(0.0, config.share().minChargeMicros() - ranMicros) / account.weight;
        }
        if (account.held == 0 && !account.eligible) {
            account.idleSince = at;
        }
    }

    /** To be called after every event, once ticked to its time, with the kinds there are and who has a job for them. */
    void kindsAre(Map<Kind, Set<Integer>> present, double slots) {
        virtual.keySet().retainAll(present.keySet());
        active = 0;
        for (Map.Entry<Integer, Account> entry : accounts.entrySet()) {
            if (entry.getValue().held > 0 || in(present, entry.getKey())) {
                active += entry.getValue().weight;
            }
        }
        for (Map.Entry<Integer, Account> entry : accounts.entrySet()) {
            Account account = entry.getValue();
            int tenant = entry.getKey();
            double measure = Double.NEGATIVE_INFINITY;
            for (Kind kind : present.keySet()) {
                boolean comes = present.get(kind).contains(tenant)
                        && kinds.containsKey(kind)
                        && !kinds.get(kind).contains(tenant);
                if (comes && virtual.containsKey(kind)) {
                    measure = Math.max(measure, virtual.get(kind));
                }
            }
            boolean eligible = in(present, tenant);
            if (measure > Double.NEGATIVE_INFINITY) {
                if (!account.eligible && account.held == 0 && account.v > measure) {
                    double idle = at - account.idleSince;
                    account.v = measure + (account.v - measure) * Math.pow(0.5, idle / 600e6);
                }
                account.v = Math.max(account.v, measure - config.share().burstMicros() * slots / active);
            }
            if (!eligible && account.eligible && account.held == 0) {
                account.idleSince = at;
            }
            account.eligible = eligible;
        }
        kinds = present;
    }

    private static boolean in(Map<Kind, Set<Integer>> kinds, int tenant) {
        return kinds.values().stream().anyMatch(tenants -> tenants.contains(tenant));
    }

    double key(int tenant) {
        Account account = accounts.get(tenant);
        return account.v + (double) config.share().holdMicros() * account.held / account.weight;
    }
}
