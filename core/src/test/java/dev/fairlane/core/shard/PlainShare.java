package dev.fairlane.core.shard;

import dev.fairlane.core.model.EngineConfig;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Fair share of one pool written down naively: every account is brought up to date at every event. */
final class PlainShare {
    static final class Account {
        double v;
        int held;
        int weight;
        long idleSince;
        boolean eligible;
    }

    private final EngineConfig config;
    final Map<Integer, Account> accounts = new TreeMap<>();
    private double rootV;
    private long at;

    PlainShare(EngineConfig config, long now) {
        this.config = config;
        this.at = now;
    }

    Account account(int tenant, int weight) {
        Account account = accounts.computeIfAbsent(tenant, t -> new Account());
        account.weight = weight;
        return account;
    }

    void tick(long now) {
        double smallest = Double.MAX_VALUE;
        for (Account account : accounts.values()) {
            account.v += (double) account.held * (now - at) / account.weight;
            if (account.eligible) {
                smallest = Math.min(smallest, account.v);
            }
        }
        if (smallest < Double.MAX_VALUE) {
            rootV = Math.max(rootV, smallest);
        }
        at = now;
    }

    void acquire(int tenant) {
        accounts.get(tenant).held++;
    }

    void release(int tenant, long ranMicros) {
        Account account = accounts.get(tenant);
        account.held--;
        account.v += Math.max(0.0, config.minChargeMicros() - ranMicros) / account.weight;
        if (account.held == 0 && !account.eligible) {
            account.idleSince = at;
        }
    }

    /** To be called after every event, once ticked to its time. */
    void eligibleAre(Set<Integer> tenants, int slots) {
        long active = 0;
        for (Map.Entry<Integer, Account> entry : accounts.entrySet()) {
            if (tenants.contains(entry.getKey()) || entry.getValue().held > 0) {
                active += entry.getValue().weight;
            }
        }
        for (Map.Entry<Integer, Account> entry : accounts.entrySet()) {
            Account account = entry.getValue();
            boolean eligible = tenants.contains(entry.getKey());
            if (eligible && !account.eligible) {
                if (account.held == 0 && account.v > rootV) {
                    account.v = rootV + (account.v - rootV) * Math.pow(0.5, (at - account.idleSince) / 600e6);
                }
                account.v = Math.max(account.v, rootV - (double) config.burstMicros() * slots / active);
            } else if (!eligible && account.eligible && account.held == 0) {
                account.idleSince = at;
            }
            account.eligible = eligible;
        }
    }

    double key(int tenant) {
        Account account = accounts.get(tenant);
        return account.v + (double) config.holdMicros() * (account.held + 1) / account.weight;
    }
}
