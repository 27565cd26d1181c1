package dev.fairlane.sim.world;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantChange;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.Tier;
import dev.fairlane.journal.JobQuery;
import dev.fairlane.runtime.Node;
import dev.fairlane.sim.event.Chance;
import dev.fairlane.sim.seen.Kinds;
import dev.fairlane.sim.seen.Request;
import dev.fairlane.sim.seen.Sighting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A client with a tenant of its own: submits, reads, lists, cancels, and whatever else its world uses. After the world has healed it
 * waits until every job it was promised has come to its end.
 */
public final class SimClient {
    static final List<String> PLAIN = List.of("quick", "slow");
    static final List<String> TYPES =
            Stream.concat(PLAIN.stream(), Kinds.TYPES.stream()).toList();

    private static final long AGAIN_MICROS = 300_000;
    private static final int POLLED = 25;
    private static final long POLL_MICROS = 1_500_000;
    private static final long TIMES_OUT_MICROS = 3_500_000;
    private static final double SPECIAL = 0.5;

    final String name;
    private final World world;
    private final Chance chance;
    private final Calls calls;
    private final int number;
    private final Desk desk;
    private final Promises promises;
    private final Submitting submitting;
    private final ChangeWishes changes;
    private final DeadWishes deadLetters;
    private final List<Wishes> special = new ArrayList<>();
    private boolean healed;
    private boolean lookedBack;

    /** @param number of the client, in its name and in everything it asks for */
    public SimClient(int number, World world, Chance chance, Cluster cluster, Network network) {
        this.number = number;
        this.world = world;
        this.chance = chance;
        this.desk = new Desk(number, world, chance, cluster, network);
        this.name = desk.name;
        this.calls = desk.calls;
        this.promises = desk.promises;
        this.submitting = new Submitting(desk);
        this.changes = new ChangeWishes(desk);
        this.deadLetters = new DeadWishes(desk);
        for (Part part : Part.values()) {
            if (world.scenario().uses(part)) {
                add(part);
            }
        }
    }

    private void add(Part part) {
        switch (part) {
            case GROUPS -> special.add(new GroupWishes(desk, submitting));
            case GATES -> special.add(new GateWishes(desk));
            case BULK -> special.add(new BulkWishes(desk));
            case KINDS -> special.add(new KindWishes(desk, submitting, type -> Kinds.rule(type) != null));
            case CAPS -> special.add(new KindWishes(desk, submitting, Kinds.CAPPED::equals));
            case DEAD_LETTERS -> special.add(deadLetters);
            case SCHEDULES -> special.add(new ScheduleWishes(desk));
            case CHECKPOINTS -> {
                // the workers' business
            }
        }
    }

    public void begin() {
        putTenant();
    }

    private void putTenant() {
        calls.ask(
                node -> node.putTenant(
                        new Command.PutTenant("tenant-" + number, 10 * number, TenantChange.toTier(Tier.ENTERPRISE)),
                        desk.author("")),
                (node, answer) -> {},
                answer -> {
                    if (answer instanceof Answer.TenantIs is) {
                        have(is.tenant());
                    } else {
                        world.observer().wrong("TenantsAreKept", "putTenant was answered " + answer);
                    }
                },
                () -> world.agenda().after(AGAIN_MICROS, this::putTenant));
    }

    private void have(Tenant is) {
        TenantId before = desk.tenant();
        if (before == null) {
            desk.have(is.id());
            putType();
            wish();
        } else if (!before.equals(is.id())) {
            world.observer().wrong("TenantsAreKept", "tenant-" + number + " was " + before + " and is " + is.id());
        }
    }

    private void putType() {
        calls.ask(
                node -> node.putType(new Command.PutType(desk.mine(), "slow", PoolRules.MEDIUM, 0, 0), desk.author("")),
                (node, answer) -> {},
                answer -> {},
                () -> {});
    }

    // ---- wishes

    private void wish() {
        if (healed) {
            return;
        }
        world.agenda().after(chance.around(world.scenario().askEveryMicros()), this::wish);
        deadLetters.wishRarely();
        if (!promises.none() && chance.below(100) < world.scenario().readers()) {
            read(promises.some(chance));
            return;
        }
        if (!special.isEmpty() && chance.of(SPECIAL)) {
            chance.pick(special).wish();
            return;
        }
        int dice = chance.below(100);
        if (dice < 45 || promises.none()) {
            submitting.submit(newRequests());
        } else if (dice < 50 && !submitting.answered().isEmpty()) {
            submitAgain(chance.pick(submitting.answered()));
        } else if (dice < 75) {
            read(promises.some(chance));
        } else if (dice < 83) {
            changes.wish();
        } else if (dice < 88) {
            cancel(promises.some(chance));
        } else if (dice < 95) {
            list(promises.someAnswer(chance));
        } else if (dice < 96) {
            await(promises.some(chance));
        } else if (dice < 98) {
            watch(promises.some(chance));
        } else {
            putTenant();
        }
    }

    private List<Request> newRequests() {
        List<Request> made = new ArrayList<>();
        boolean keyed = chance.of(0.6);
        for (int i = chance.of(0.7) ? 1 : (int) chance.between(2, 6); i > 0; i--) {
            made.add(newRequest(keyed));
        }
        return made;
    }

    private Request newRequest(boolean keyed) {
        int id = desk.nextNumber();
        NewJob job = new NewJob(
                chance.of(0.8) ? "quick" : "slow",
                Request.payload(id, (int) chance.between(10, 200)),
                0,
                (int) chance.between(-1, 9),
                0,
                chance.of(0.15) ? chance.between(1, 4_000_000) : 0,
                chance.of(0.1) ? Scenario.DAY_ONE_MICROS + world.now() + chance.between(1, 6_000_000) : 0,
                0,
                0,
                keyed ? "k" + id : "",
                id,
                Map.of(),
                Map.of());
        return new Request(id, desk.mine(), job, false);
    }

    /** A key that is known to be taken comes again, with its own body or with another. */
    private void submitAgain(Request before) {
        boolean same = before.unique() || chance.of(0.7);
        submitting.submit(List.of(same ? before : before.withOtherBody(desk.nextNumber())));
    }

    private void read(JobId id) {
        reading(id, 0);
    }

    private void await(JobId id) {
        reading(id, chance.between(100_000, 3_000_000));
    }

    /** Looks at it until its end, or until it has had enough. */
    private void watch(JobId id) {
        long most = chance.between(500_000, TIMES_OUT_MICROS);
        calls.<Boolean>ask(
                (at, node) -> {
                    long asked = world.agenda().ran();
                    boolean[] closed = new boolean[1];
                    Node.Watch watch = node.watch(
                            desk.mine(),
                            id,
                            view -> at.send(() -> {
                                if (!closed[0]) {
                                    desk.saw(new Sighting.Watched(asked, at.name, view));
                                }
                            }));
                    world.agenda().after(most, () -> {
                        closed[0] = true;
                        watch.close();
                    });
                    return watch.done().thenApply(found -> {
                        if (!closed[0]) {
                            at.send(() -> desk.saw(new Sighting.WatchEnded(asked, at.name, id, found)));
                        }
                        return found;
                    });
                },
                (at, found) -> {},
                found -> {},
                () -> {},
                at -> {});
    }

    /** @param waitMicros how long to wait for the job's end, 0 to look at once */
    private void reading(JobId id, long waitMicros) {
        calls.ask(
                (at, node) -> {
                    long asked = world.agenda().ran();
                    world.say(name + " looks for " + id + " at " + at);
                    world.observer().saw(new Sighting.ReadArrived(asked, id));
                    return (waitMicros > 0 ? node.await(desk.mine(), id, waitMicros) : node.get(desk.mine(), id))
                            .thenApply(view -> new Look(asked, view));
                },
                (at, look) -> {
                    world.say(name + " sees at " + at + " " + id + " "
                            + look.view()
                                    .map(view -> String.valueOf(view.status().state()))
                                    .orElse("nowhere"));
                    world.observer()
                            .saw(new Sighting.ReadAnswered(look.number(), at.name, at.tellsNews(), id, look.view()));
                },
                look -> look.view().ifPresent(view -> {
                    promises.saw(view);
                    deadLetters.saw(view);
                    lookElsewhere(id);
                }),
                () -> {},
                at -> {});
    }

    /** Who has just seen a job asks somebody else about it at times. */
    private void lookElsewhere(JobId id) {
        if (!healed && chance.of(0.4)) {
            calls.elsewhere();
            read(id);
        }
    }

    private record Look(long number, Optional<JobView> view) {}

    private void cancel(JobId id) {
        calls.ask(
                node -> node.cancel(desk.mine(), id, desk.author("")),
                (at, answer) -> {
                    world.say(at + " answers cancel " + id + ": " + answer);
                    if (Desk.isNews(at, answer)) {
                        world.observer().saw(new Sighting.CancelAnswered(at.name, id, answer));
                    }
                },
                answer -> {},
                () -> {});
    }

    private void list(Promises.Acked promised) {
        calls.ask(
                node -> node.list(new JobQuery(desk.mine(), Set.of(), "", null, 1_000), promised.position()),
                (at, page) -> world.observer()
                        .saw(new Sighting.ListAnswered(
                                at.name, at.tellsNews(), page.jobs(), promised.ids(), page.next() == null)),
                page -> {},
                () -> {});
    }

    // ---- the end

    public void heal() {
        healed = true;
        promises.expectBack();
        poll();
    }

    private void poll() {
        settling().forEach(Wishes::settle);
        promises.open().stream().limit(POLLED).forEach(this::read);
        // What an operation or a late call brought back ends once more.
        if (!lookedBack && settling().allMatch(Wishes::done)) {
            lookedBack = true;
            promises.expectBack();
            promises.dead().forEach(promises::expectBack);
        }
        world.agenda().after(POLL_MICROS, this::poll);
    }

    private Stream<Wishes> settling() {
        Stream<Wishes> always = Stream.of(changes, deadLetters);
        return Stream.concat(always, special.stream().filter(wishes -> wishes != deadLetters));
    }

    /** Everything it asked for is answered, everything it was promised has ended. */
    public boolean done() {
        return healed && lookedBack && submitting.unresolved() == 0 && promises.kept();
    }

    /** What is still missing, for people. */
    public String missing() {
        return name + " waits for " + submitting.unresolved() + " answers, " + promises + ", and "
                + settling()
                        .filter(wishes -> !wishes.done())
                        .map(Object::toString)
                        .collect(Collectors.joining(", "));
    }
}
