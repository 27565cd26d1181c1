package dev.fairlane.core.share;

import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which workers could run which queues: the crews of a tree, their views, and the queues' spots in them. */
final class Coverage {
    private record Asked(Resources demand, List<String> tags) {}

    private final FairTree tree;
    private final Presence presence;
    private final Resources perSlot;
    private final Requirement plain;
    private final Map<Asked, Requirement> requirements = new HashMap<>();
    private final Map<String, List<TypeLine>> linesByType = new HashMap<>();
    private final Map<String, List<Crew>> wideCrews = new HashMap<>();
    private final Map<Integer, List<Crew>> scopedCrews = new HashMap<>();

    Coverage(FairTree tree, Presence presence, Resources perSlot) {
        this.tree = tree;
        this.presence = presence;
        this.perSlot = perSlot;
        this.plain = new Requirement(Resources.NONE, List.of(), perSlot, null);
    }

    // ---- requirements

    Requirement requirement(Account account, @Nullable QueueKey key) {
        if (key == null || key.demand().isNone() && key.tags().isEmpty()) {
            return plain;
        }
        Asked asked = new Asked(key.demand(), key.tags());
        Requirement known = requirements.get(asked);
        if (known != null) {
            return known;
        }
        Requirement requirement = new Requirement(asked.demand, asked.tags, perSlot, account);
        requirements.put(asked, requirement);
        account.requirements++;
        return requirement;
    }

    void forget(Requirement requirement) {
        if (--requirement.queues == 0 && requirement.far == 0 && requirement.first != null) {
            requirements.remove(new Asked(requirement.demand(), requirement.tags()));
            requirement.first.requirements--;
        }
    }

    boolean knows(JobNeeds needs) {
        return requirements.containsKey(new Asked(needs.demand(), needs.tags()));
    }

    int requirements() {
        return requirements.size();
    }

    // ---- queues

    /** Whether there are workers that could run such jobs, also where the queue is another pool's. */
    boolean hasCrew(Queue queue) {
        for (Crew crew : wideCrews.getOrDefault(queue.type(), List.of())) {
            if (crew.has(queue.requirement)) {
                return true;
            }
        }
        for (Crew crew : scopedCrews.getOrDefault(queue.account().tenant(), List.of())) {
            if (crew.types.contains(queue.type()) && crew.has(queue.requirement)) {
                return true;
            }
        }
        return false;
    }

    /** The name of a type, the same object for all accounts. */
    String shared(String type) {
        List<TypeLine> lines = linesByType.get(type);
        return lines == null || lines.isEmpty() ? type : lines.getFirst().type();
    }

    /** A type has a queue in an account. */
    void met(TypeLine line) {
        if (!line.met) {
            line.met = true;
            linesByType.computeIfAbsent(line.type(), type -> new ArrayList<>()).add(line);
        }
    }

    /** Finds the views of a queue that is in none, and shows it there. */
    void cover(Queue queue, long now) {
        cover(queue);
        if (queue.mayShow()) {
            presence.show(queue, now);
        }
    }

    /** The same for one that was in them until now: nobody is measured by it. */
    void coverAgain(Queue queue, long now) {
        cover(queue);
        if (queue.mayShow()) {
            presence.showAgain(queue, now);
        }
    }

    private void cover(Queue queue) {
        for (Crew crew : wideCrews.getOrDefault(queue.type(), List.of())) {
            cover(queue, crew);
        }
        for (Crew crew : scopedCrews.getOrDefault(queue.account().tenant(), List.of())) {
            if (crew.types.contains(queue.type())) {
                cover(queue, crew);
            }
        }
    }

    private @Nullable Spot cover(Queue queue, Crew crew) {
        if (!crew.has(queue.requirement)) {
            return null;
        }
        View view = crew.view(queue.requirement);
        if (view == null) {
            view = open(crew, queue.requirement);
        }
        Leaf lane = joinLane(queue.lane.node, view);
        lane.covered++;
        Spot spot = new Spot(queue, lane);
        queue.add(spot);
        return spot;
    }

    private static Leaf joinLane(Node node, View view) {
        if (node.member(view) instanceof Leaf known) {
            return known;
        }
        Leaf leaf = new Leaf(node, view, joinParent(node, view));
        node.add(leaf);
        return leaf;
    }

    private static Branch joinParent(Node child, View view) {
        Branch up = child.parent == null ? view.top : join(child.parent, view);
        up.covered++;
        return up;
    }

    private static Branch join(Node node, View view) {
        if (node.member(view) instanceof Branch known) {
            return known;
        }
        Branch branch = new Branch(node, view, joinParent(node, view));
        node.add(branch);
        return branch;
    }

    /** Takes a queue out of all views. */
    void uncover(Queue queue, long now) {
        if (queue.shown) {
            presence.hide(queue, now);
        }
        for (Spot spot = queue.spots; spot != null; spot = spot.next) {
            View view = spot.lane.view;
            uncover(spot);
            if (view.top.covered == 0 && view.requirement() != plain) {
                close(view);
            }
        }
    }

    private static void uncover(Spot spot) {
        spot.queue.drop(spot);
        Member member = spot.lane;
        while (--member.covered == 0 && member.node != null && member.parent != null) {
            member.node.drop(member);
            member = member.parent;
        }
    }

    // ---- crews

    void open(Crew crew, long now) {
        open(crew, plain);
        if (!crew.isWide()) {
            scopedCrews.computeIfAbsent(crew.scope, s -> new ArrayList<>()).add(crew);
        }
        List<Spot> spots = new ArrayList<>();
        for (String type : crew.types) {
            if (crew.isWide()) {
                wideCrews.computeIfAbsent(type, t -> new ArrayList<>()).add(crew);
            }
            for (TypeLine line : coverable(crew, type)) {
                line.forEach(queue -> {
                    Spot spot = cover(queue, crew);
                    if (spot != null && queue.shown) {
                        spots.add(spot);
                    }
                });
            }
        }
        for (Spot spot : spots) {
            presence.show(spot, false, now);
        }
    }

    private View open(Crew crew, Requirement requirement) {
        View view = new View(crew, requirement);
        crew.views.add(view);
        crew.listener.opened(view);
        return view;
    }

    private void close(View view) {
        tree.serve(view, false);
        view.crew().views.remove(view);
        view.crew().listener.closed(view);
    }

    void close(Crew crew, long now) {
        for (View view : crew.views) {
            tree.serve(view, false);
        }
        if (!crew.isWide()) {
            drop(scopedCrews, crew.scope, crew);
        }
        for (TypeLine line : lines(crew)) {
            line.forEach(queue -> {
                for (Spot spot = queue.spots; spot != null; spot = spot.next) {
                    if (spot.lane.view.crew() == crew) {
                        discard(spot, now);
                    }
                }
            });
        }
        for (String type : crew.types) {
            if (crew.isWide()) {
                drop(wideCrews, type, crew);
            }
        }
        crew.views.forEach(crew.listener::closed);
        crew.views.clear();
    }

    /** Takes a queue out of a view that goes as a whole: nobody is left there to be kept in order. */
    private void discard(Spot spot, long now) {
        spot.queue.drop(spot);
        Member member = spot.lane;
        while (--member.covered == 0 && member.node != null && member.parent != null) {
            presence.discard(member, now);
            member.node.drop(member);
            member = member.parent;
        }
    }

    private List<TypeLine> lines(Crew crew) {
        List<TypeLine> all = new ArrayList<>();
        for (String type : crew.types) {
            all.addAll(coverable(crew, type));
        }
        return all;
    }

    private List<TypeLine> coverable(Crew crew, String type) {
        if (crew.isWide()) {
            return linesByType.getOrDefault(type, List.of());
        }
        Account account = tree.account(crew.scope);
        TypeLine line = account == null ? null : account.known(type);
        return line == null ? List.of() : List.of(line);
    }

    private static <K> void drop(Map<K, List<Crew>> crews, K key, Crew crew) {
        List<Crew> others = crews.get(key);
        if (others != null && others.remove(crew) && others.isEmpty()) {
            crews.remove(key);
        }
    }
}
