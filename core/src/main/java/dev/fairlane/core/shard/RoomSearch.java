package dev.fairlane.core.shard;

import dev.fairlane.core.lease.Hold;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.share.Account;
import dev.fairlane.core.share.Claims;
import dev.fairlane.core.share.Queue;
import dev.fairlane.core.share.Requirement;
import dev.fairlane.core.share.View;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds, in one pool, which execution is to make room for whom; see {@link Preemption}. What keeps jobs from being moved back and forth:
 *
 * <ul>
 *   <li>An execution is asked once, and not before it ran for a while.
 *   <li>Who is asked has its share without all that was asked of it, so a tenant that got a slot by this does not lose it by this.
 *   <li>For a tenant no more is asked than it waits for and lacks of its share. An answer is hoped for ten minutes, then another may
 *       be asked.
 *   <li>Only where the fair order would give the slot to who waits.
 *   <li>One is asked in a second.
 * </ul>
 */
final class RoomSearch extends Deadlines.Timed {
    /** Checkpoints are suggested every five minutes at the latest. */
    static final long PATIENCE_MICROS = 600_000_000;

    /** A job that would be given up within this time if it waited is not asked. */
    private static final long AGE_LEFT_MICROS = 3_600_000_000L;

    private static final long LOOK_EVERY_MICROS = 1_000_000;

    /** Tenants and executions looked at in one go. */
    private static final int MAX_LOOKS = 1_000;

    /** A tenant with executions that could be asked, or for which others were. */
    private static final class Party {
        final Account account;
        /** Of its executions that were not asked; the older ones follow. */
        @Nullable Run newest;
        /** Place among those with such executions, or −1. */
        int place = -1;
        /** What it holds by executions that were asked, in thousandths of slots. */
        long giving;

        /** Executions of others that it hopes for, and what it would hold by them. */
        int hopes;

        long coming;

        Party(Account account) {
            this.account = account;
        }
    }

    /** An execution that may be asked, or was. */
    private static final class Run {
        final Party party;
        final int hold;
        final long size;
        final long since;

        @Nullable Run newer;

        @Nullable Run older;

        boolean asked;
        long askedAt;
        /** Who hopes for it; null when nobody does, or no more. */
        @Nullable Party hoping;
        /** What that one would hold by it. */
        long worth;

        Run(Party party, int hold, long size, long since) {
            this.party = party;
            this.hold = hold;
            this.size = size;
            this.since = since;
        }

        long hopelessAt() {
            return hoping == null ? 0 : askedAt + PATIENCE_MICROS;
        }
    }

    private final ShardState state;
    private final Pool pool;
    private final Claims claims;
    private final Deadlines deadlines;
    private final Predicate<HandOverCall> call;
    private final long leastRunMicros;

    private final Map<Integer, Party> parties = new HashMap<>();
    /** Those with executions that could be asked. */
    private final List<Party> givers = new ArrayList<>();
    /** By the number of their hold. */
    private final Map<Integer, Run> runs = new HashMap<>();
    /** In the order of asking. */
    private final ArrayDeque<Run> hopes = new ArrayDeque<>();
    /** The giver that is looked at first. */
    private int hand;

    private int looks;

    /** @param call takes who is asked; false: not now */
    RoomSearch(ShardState state, Pool pool, Deadlines deadlines, Predicate<HandOverCall> call) {
        this.state = state;
        this.pool = pool;
        this.claims = pool.tree().claims();
        this.deadlines = deadlines;
        this.call = call;
        this.leastRunMicros = state.config.share().handOverAfterMicros();
    }

    void began(Hold hold, Queue queue, long now) {
        Party party = party(queue.account());
        Run run = new Run(party, hold.index(), queue.requirement().size(), now);
        runs.put(hold.index(), run);
        link(run);
        if (!waits()) {
            deadlines.set(this, now + leastRunMicros);
        }
    }

    void ended(Hold hold) {
        Run run = runs.remove(hold.index());
        if (run == null) {
            return;
        }
        if (run.asked) {
            run.party.giving -= run.size;
            giveUpHope(run);
        } else {
            unlink(run);
        }
        forget(run.party);
    }

    boolean asked(Hold hold) {
        Run run = runs.get(hold.index());
        return run != null && run.asked;
    }

    @Override
    void fire(long now, Consumer<Command> sink) {
        while (!hopes.isEmpty() && hopes.getFirst().hopelessAt() <= now) {
            giveUpHope(hopes.removeFirst());
        }
        if (!pool.tree().closed()) {
            looks = MAX_LOOKS;
            claims.tell((tenant, view) -> looks <= 0 || makeRoom(tenant, view, now));
        }
        if (!givers.isEmpty()) {
            deadlines.set(this, now + LOOK_EVERY_MICROS);
        }
    }

    /** Asks one execution, if there is one to be asked for this. */
    private boolean makeRoom(Account tenant, View view, long now) {
        Party known = parties.get(tenant.tenant());
        int hoped = known == null ? 0 : known.hopes;
        long coming = known == null ? 0 : known.coming;
        if (hoped >= tenant.waiting() || claims.held(tenant) + coming >= claims.share(tenant)) {
            return false;
        }
        Run best = null;
        double most = 0;
        int count = givers.size();
        int seen = 0;
        while (seen < count && looks-- > 0) {
            Party giver = givers.get((hand + seen++) % count);
            double share = claims.share(giver.account);
            double times = claims.held(giver.account) / share;
            if (times > most && giver.account != tenant) {
                Run run = candidate(giver, share, tenant, view, now);
                if (run != null) {
                    best = run;
                    most = times;
                }
            }
        }
        hand = seen < count ? (hand + seen) % count : 0;
        return best != null && ask(best, tenant, view, now);
    }

    /** The newest of its executions that can be asked to make room in the view; null if there is none. */
    private @Nullable Run candidate(Party giver, double share, Account tenant, View view, long now) {
        double spare = claims.held(giver.account) - giver.giving - share;
        if (spare < Requirement.SLOT) {
            return null;
        }
        for (Run run = giver.newest; run != null && looks-- > 0; run = run.older) {
            if (run.size <= spare
                    && run.since + leastRunMicros <= now
                    && mayBeAsked(state.leases.get(run.hold), now)
                    && Kind.makesRoom(view, state.leases.get(run.hold))
                    && claims.goesBefore(tenant, view, giver.account, giver.giving + run.size, now)) {
                return run;
            }
        }
        return null;
    }

    /** Whether its worker can hear of it, its type still wants it, and its job would live on waiting. */
    private boolean mayBeAsked(Hold hold, long now) {
        int slot = hold.slot();
        return hold.session() != Hold.NO_SESSION
                && Guards.health(state.queue(slot)).rules.preemptible()
                && !state.jobs.leasedStatus(slot).cancelRequested()
                && state.jobs.notAfter(slot) == 0
                && state.jobs.ageEnd(slot) - AGE_LEFT_MICROS > now;
    }

    private boolean ask(Run run, Account tenant, View view, long now) {
        Hold hold = state.leases.get(run.hold);
        TenantId by = new TenantId(run.party.account.tenant());
        TenantId to = new TenantId(tenant.tenant());
        if (!call.test(new HandOverCall(
                state.jobs.id(hold.slot()), hold.token(), by, to, pool.rules().name()))) {
            return false;
        }
        unlink(run);
        run.asked = true;
        run.askedAt = now;
        run.party.giving += run.size;
        run.hoping = party(tenant);
        run.worth = view.requirement().size();
        run.hoping.hopes++;
        run.hoping.coming += run.worth;
        hopes.addLast(run);
        return true;
    }

    private void giveUpHope(Run run) {
        Party party = run.hoping;
        if (party != null) {
            run.hoping = null;
            party.hopes--;
            party.coming -= run.worth;
            forget(party);
        }
    }

    // ---- who is known

    private Party party(Account account) {
        return parties.computeIfAbsent(account.tenant(), _ -> new Party(account));
    }

    private void forget(Party party) {
        if (party.newest == null && party.giving == 0 && party.hopes == 0) {
            parties.remove(party.account.tenant());
        }
    }

    private void link(Run run) {
        Party party = run.party;
        run.older = party.newest;
        if (party.newest != null) {
            party.newest.newer = run;
        }
        party.newest = run;
        if (party.place < 0) {
            party.place = givers.size();
            givers.add(party);
        }
    }

    private void unlink(Run run) {
        Party party = run.party;
        if (run.newer != null) {
            run.newer.older = run.older;
        } else {
            party.newest = run.older;
        }
        if (run.older != null) {
            run.older.newer = run.newer;
        }
        run.newer = null;
        run.older = null;
        if (party.newest == null) {
            Party last = givers.removeLast();
            if (last != party) {
                givers.set(party.place, last);
                last.place = party.place;
            }
            party.place = -1;
        }
    }
}
