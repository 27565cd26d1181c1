package dev.fairlane.sim.world;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.JobChange;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.JobQuery;
import dev.fairlane.runtime.Position;
import dev.fairlane.runtime.SubmitReply;
import dev.fairlane.sim.event.Chance;
import dev.fairlane.sim.seen.Request;
import dev.fairlane.sim.seen.Sighting;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A client with a tenant of its own: submits, reads, lists and cancels. What it did not hear the outcome of it asks again where a key
 * makes that safe. After the world has healed it waits until every job it was promised has come to its end.
 */
public final class SimClient {
    static final List<String> TYPES = List.of("quick", "slow");

    private static final long AGAIN_MICROS = 300_000;
    private static final int POLLED = 25;
    private static final long POLL_MICROS = 1_500_000;

    final String name;
    private final World world;
    private final Chance chance;
    private final Calls calls;
    private final int number;
    private final List<Acked> acked = new ArrayList<>();
    private final Set<JobId> open = new LinkedHashSet<>();
    private final Set<JobId> paused = new LinkedHashSet<>();
    private final Set<JobId> ended = new HashSet<>();
    private final List<Request> answered = new ArrayList<>();

    /** Seen dead, and not asked back since. */
    private final Set<JobId> dead = new LinkedHashSet<>();

    /** Asked back: whether they came back, nobody may have heard. */
    private final Set<JobId> askedBack = new LinkedHashSet<>();

    private @Nullable TenantId tenant;
    private boolean healed;
    private int requests;
    private int unresolved;

    /** What one heard answer to a submit promised. */
    private record Acked(List<JobId> ids, Position position) {}

    /** A call of one or more submits, until it is answered or given up. */
    private static final class Batch {
        final List<Request> requests;
        boolean settled;

        Batch(List<Request> requests) {
            this.requests = requests;
        }

        boolean keyed() {
            return requests.stream().allMatch(Request::keyed);
        }

        List<NewJob> jobs() {
            return requests.stream().map(Request::job).toList();
        }
    }

    /** @param number of the client, in its name and in everything it asks for */
    public SimClient(int number, World world, Chance chance, Cluster cluster, Network network) {
        this.number = number;
        this.name = "c" + number;
        this.world = world;
        this.chance = chance;
        this.calls = new Calls(name, world, chance.split(), cluster, network);
    }

    public void begin() {
        putTenant();
    }

    private void putTenant() {
        calls.ask(
                node -> node.putTenant("tenant-" + number, 10 * number),
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
        if (tenant != null && !tenant.equals(is.id())) {
            world.observer().wrong("TenantsAreKept", "tenant-" + number + " was " + tenant + " and is " + is.id());
        } else if (tenant == null) {
            tenant = is.id();
            putType();
            wish();
        }
    }

    private void putType() {
        TenantId mine = tenant;
        if (mine != null) {
            calls.ask(
                    node -> node.putType(new Command.PutType(mine, "slow", PoolRules.MEDIUM, 0, 0)),
                    (node, answer) -> {},
                    answer -> {},
                    () -> {});
        }
    }

    // ---- wishes

    private void wish() {
        if (healed) {
            return;
        }
        world.agenda().after(chance.around(world.scenario().askEveryMicros()), this::wish);
        if (!dead.isEmpty() && chance.of(0.15)) {
            replay(chance.pick(List.copyOf(dead)));
        }
        if (!acked.isEmpty() && chance.below(100) < world.scenario().readers()) {
            read(someJob());
            return;
        }
        int dice = chance.below(100);
        if (dice < 45 || acked.isEmpty()) {
            submit(new Batch(newRequests()));
        } else if (dice < 50 && !answered.isEmpty()) {
            submitAgain(chance.pick(answered));
        } else if (dice < 75) {
            read(someJob());
        } else if (dice < 80) {
            change(someJob());
        } else if (dice < 83) {
            pause(someJob(), true);
        } else if (dice < 88) {
            cancel(someJob());
        } else if (dice < 95) {
            list(chance.pick(acked));
        } else if (dice < 98) {
            await(someJob());
        } else {
            putTenant();
        }
    }

    private JobId someJob() {
        // Recent ones are more interesting than those long gone.
        int recent = Math.min(acked.size(), 6);
        Acked from = chance.of(0.7) ? acked.get(acked.size() - 1 - chance.below(recent)) : chance.pick(acked);
        return chance.pick(from.ids());
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
        int id = number * 1_000_000 + ++requests;
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
        return new Request(id, mine(), job, false);
    }

    private TenantId mine() {
        if (tenant == null) {
            throw new IllegalStateException("no tenant yet");
        }
        return tenant;
    }

    /** A key that is known to be taken comes again, with its own body or with another. */
    private void submitAgain(Request before) {
        boolean same = chance.of(0.7);
        submit(new Batch(List.of(same ? before : before.withOtherBody(number * 1_000_000 + ++requests))));
    }

    private void submit(Batch batch) {
        if (batch.keyed() && !batch.settled) {
            unresolved++;
        }
        send(batch);
    }

    private void send(Batch batch) {
        calls.ask(
                (at, node) -> {
                    batch.requests.forEach(request -> {
                        world.say(name + " submits " + request + " at " + at);
                        world.observer().saw(new Sighting.SubmitArrived(at.name, request));
                    });
                    return node.submit(mine(), batch.jobs());
                },
                (at, reply) -> left(at, batch, reply),
                reply -> heard(batch, reply),
                () -> {
                    if (batch.keyed() && !batch.settled) {
                        world.agenda().after(AGAIN_MICROS, () -> send(batch));
                    }
                },
                at -> batch.requests.forEach(
                        request -> world.observer().saw(new Sighting.SubmitDeclined(at.name, request))));
    }

    private void left(SimNode at, Batch batch, SubmitReply reply) {
        for (int i = 0; i < batch.requests.size(); i++) {
            Answer answer = reply.answers().get(i);
            world.say(at + " answers " + batch.requests.get(i) + ": " + answer);
            if (isNews(at, answer)) {
                world.observer().saw(new Sighting.SubmitAnswered(at.name, batch.requests.get(i), answer));
            }
            // A promise counts from here on, whether or not this client ever hears of it.
            if (answer instanceof Answer.Submitted submitted && !ended.contains(submitted.id())) {
                open.add(submitted.id());
            }
        }
    }

    /** What a node does not know that has just lost its log while it was well proves nothing. */
    private static boolean isNews(SimNode at, Answer answer) {
        return at.tellsNews() || !(answer instanceof Answer.Refused);
    }

    private void heard(Batch batch, SubmitReply reply) {
        if (batch.settled) {
            return;
        }
        batch.settled = true;
        if (batch.keyed()) {
            unresolved--;
        }
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < batch.requests.size(); i++) {
            Request request = batch.requests.get(i);
            if (reply.answers().get(i) instanceof Answer.Submitted submitted) {
                ids.add(submitted.id());
                if (request.keyed()) {
                    answered.add(request);
                }
            }
        }
        if (!ids.isEmpty()) {
            acked.add(new Acked(ids, reply.position()));
        }
    }

    private void read(JobId id) {
        reading(id, 0);
    }

    private void await(JobId id) {
        reading(id, chance.between(100_000, 3_000_000));
    }

    /** @param waitMicros how long to wait for the job's end, 0 to look at once */
    private void reading(JobId id, long waitMicros) {
        calls.ask(
                (at, node) -> {
                    long asked = world.agenda().ran();
                    world.say(name + " looks for " + id + " at " + at);
                    world.observer().saw(new Sighting.ReadArrived(asked, id));
                    return (waitMicros > 0 ? node.await(mine(), id, waitMicros) : node.get(mine(), id))
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
                    if (view.status().state().terminal()) {
                        open.remove(id);
                        ended.add(id);
                        if (view.status().state() == JobState.DEAD) {
                            dead.add(id);
                        } else {
                            dead.remove(id);
                        }
                    }
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
                node -> node.cancel(mine(), id),
                (at, answer) -> {
                    world.say(at + " answers cancel " + id + ": " + answer);
                    if (isNews(at, answer)) {
                        world.observer().saw(new Sighting.CancelAnswered(at.name, id, answer));
                    }
                },
                answer -> {},
                () -> {});
    }

    /** Brings a dead job back, at times from two sides at once. */
    private void replay(JobId id) {
        if (chance.of(0.8)) {
            dead.remove(id);
        }
        askedBack.add(id);
        calls.ask(
                (at, node) -> {
                    world.say(name + " replays " + id + " at " + at);
                    world.observer().saw(new Sighting.ReplayArrived(at.name, id));
                    return node.deadLetters().replay(mine(), id, null, name, "simulated");
                },
                (at, answer) -> {
                    world.say(at + " answers replay " + id + ": " + answer);
                    if (isNews(at, answer)) {
                        world.observer().saw(new Sighting.ReplayAnswered(at.name, id, answer));
                    }
                },
                answer -> {},
                () -> {},
                at -> {});
    }

    private void change(JobId id) {
        JobChange wanted = switch (chance.below(4)) {
            case 0 -> JobChange.NOTHING.withPriority(chance.below(10));
            case 1 -> JobChange.NOTHING.inLane("lane-" + chance.below(3));
            case 2 -> JobChange.NOTHING.withRunAt(0);
            default -> JobChange.NOTHING.withTags(Map.of("changed", "" + chance.below(1_000)));
        };
        calls.ask(
                node -> node.controls().change(mine(), id, wanted, Command.ANY_REVISION),
                (at, answer) -> {
                    world.say(at + " answers change " + id + ": " + answer);
                    if (isNews(at, answer)) {
                        world.observer().saw(new Sighting.ChangeAnswered(at.name, id, answer));
                    }
                },
                answer -> {},
                () -> {});
    }

    /** What may be paused is resumed by the end, or it would never come to one. */
    private void pause(JobId id, boolean hold) {
        if (hold) {
            paused.add(id);
        }
        calls.ask(
                node -> node.controls().pause(mine(), id, hold),
                (at, answer) -> world.say(at + " answers " + (hold ? "pause " : "resume ") + id + ": " + answer),
                answer -> {
                    if (!hold) {
                        paused.remove(id);
                    }
                },
                () -> {});
    }

    private void list(Acked promised) {
        calls.ask(
                node -> node.list(new JobQuery(mine(), Set.of(), "", null, 1_000), promised.position()),
                (at, page) -> world.observer()
                        .saw(new Sighting.ListAnswered(
                                at.name, at.tellsNews(), page.jobs(), promised.ids(), page.next() == null)),
                page -> {},
                () -> {});
    }

    // ---- the end

    public void heal() {
        healed = true;
        open.addAll(askedBack);
        poll();
    }

    private void poll() {
        List.copyOf(paused).stream().limit(POLLED).forEach(id -> pause(id, false));
        List.copyOf(open).stream().limit(POLLED).forEach(this::read);
        world.agenda().after(POLL_MICROS, this::poll);
    }

    /** Everything it asked for is answered, everything it was promised has ended. */
    public boolean done() {
        return healed && unresolved == 0 && open.isEmpty();
    }

    /** What is still missing, for people. */
    public String missing() {
        return name + " waits for " + unresolved + " answers and " + open.size() + " ends, such as "
                + open.stream().limit(3).toList();
    }
}
