package dev.fairlane.sim.world;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.GroupProgress;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.runtime.JobGroups;
import dev.fairlane.sim.seen.Request;
import dev.fairlane.sim.seen.Sighting;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Groups: made with their members in one call, or made, filled and sealed one after the other. All of them are sealed in the end. */
final class GroupWishes implements Wishes {
    private static final int POLLED = 10;

    private final Desk desk;
    private final Submitting submitting;

    /** Known and not known to be done. */
    private final Set<JobId> open = new LinkedHashSet<>();

    GroupWishes(Desk desk, Submitting submitting) {
        this.desk = desk;
        this.submitting = submitting;
    }

    @Override
    public void wish() {
        int dice = desk.chance.below(10);
        if (dice < 3) {
            submitWhole();
        } else if (dice < 5 || open.isEmpty()) {
            create();
        } else if (dice < 7) {
            submitting.submit(members(desk.chance.pick(List.copyOf(open)).toString()));
        } else if (dice < 8) {
            seal(desk.chance.pick(List.copyOf(open)));
        } else {
            look(desk.chance.pick(List.copyOf(open)));
        }
    }

    private Request request(String group) {
        int id = desk.nextNumber();
        boolean keyed = !group.isEmpty() && desk.chance.of(0.5);
        NewJob job = new NewJob(
                "quick",
                Request.payload(id, 20),
                0,
                -1,
                0,
                0,
                0,
                0,
                0,
                keyed ? "k" + id : "",
                id,
                Map.of(),
                Map.of(),
                new JobTerms(JobTerms.DEFAULT_LANE, 0, "", group, "", false, 0));
        return new Request(id, desk.mine(), job, false);
    }

    private List<Request> members(String group) {
        List<Request> made = new ArrayList<>();
        for (int i = (int) desk.chance.between(1, 4); i > 0; i--) {
            made.add(request(group));
        }
        return made;
    }

    private JobGroup.CallbackOn someOn() {
        return desk.chance.of(0.7) ? JobGroup.CallbackOn.ALL_DONE : JobGroup.CallbackOn.ALL_SUCCEEDED;
    }

    /** The callback is a job like others: it is taken at most once each time its group arrives. */
    private @Nullable Request someCallback() {
        return desk.chance.of(0.8) ? request("") : null;
    }

    private void arrived(SimNode at, @Nullable Request callback) {
        if (callback != null) {
            submitting.arrived(at, callback);
        }
    }

    private void create() {
        Request callback = someCallback();
        JobGroup.CallbackOn on = someOn();
        desk.calls.ask(
                (at, node) -> {
                    arrived(at, callback);
                    return node.groups().create(desk.mine(), "made", callback == null ? null : callback.job(), on);
                },
                this::left,
                answer -> {
                    if (answer instanceof Answer.GroupIs is) {
                        open.add(is.group().id());
                    }
                },
                () -> {},
                at -> {});
    }

    private void submitWhole() {
        Request callback = someCallback();
        JobGroup.CallbackOn on = someOn();
        List<Request> members = members("");
        desk.calls.<JobGroups.Submitted>ask(
                (at, node) -> {
                    arrived(at, callback);
                    members.forEach(member -> submitting.arrived(at, member));
                    return node.groups()
                            .submit(
                                    desk.mine(),
                                    "whole",
                                    callback == null ? null : callback.job(),
                                    on,
                                    members.stream().map(Request::job).toList());
                },
                (at, reply) -> {
                    left(at, reply.group());
                    for (int i = 0; i < reply.jobs().size(); i++) {
                        submitting.left(at, members.get(i), reply.jobs().get(i));
                    }
                },
                reply -> {
                    if (reply.group() instanceof Answer.GroupIs is) {
                        open.add(is.group().id());
                    }
                    List<JobId> ids = new ArrayList<>();
                    for (Answer answer : reply.jobs()) {
                        if (answer instanceof Answer.Submitted submitted) {
                            ids.add(submitted.id());
                        }
                    }
                    desk.promises.heard(ids, reply.position());
                },
                () -> {},
                at -> {});
    }

    private void left(SimNode at, Answer answer) {
        desk.world.say(at + " answers about a group: " + answer);
        if (answer instanceof Answer.GroupIs is) {
            desk.saw(new Sighting.GroupAnswered(at.name, is.group()));
        } else if (at.tellsNews()) {
            desk.world.observer().wrong("GroupsAddUp", "a group was refused: " + answer);
        }
    }

    private void seal(JobId id) {
        desk.calls.ask(node -> node.groups().seal(desk.mine(), id), this::left, answer -> {}, () -> {});
    }

    private record Look(long number, Optional<JobGroup> group) {}

    private void look(JobId id) {
        boolean waits = desk.chance.of(0.2);
        desk.calls.ask(
                (at, node) -> {
                    long asked = desk.world.agenda().ran();
                    desk.saw(new Sighting.GroupReadArrived(asked, id));
                    JobGroups groups = node.groups();
                    return (waits ? groups.await(desk.mine(), id, 2_000_000) : groups.get(desk.mine(), id))
                            .thenApply(found -> new Look(asked, found));
                },
                (at, look) -> {
                    desk.world.say(desk.name + " sees at " + at + " group " + id + " "
                            + look.group().map(JobGroup::progress).orElse(null));
                    desk.saw(new Sighting.GroupRead(look.number(), at.name, at.tellsNews(), id, look.group()));
                },
                look -> look.group().ifPresent(this::saw),
                () -> {},
                at -> {});
    }

    private void saw(JobGroup group) {
        GroupProgress progress = group.progress();
        if (progress.state() == GroupProgress.State.DONE) {
            open.remove(group.id());
            if (progress.callbackJob() != null) {
                desk.promises.left(progress.callbackJob());
            }
        }
    }

    @Override
    public void settle() {
        open.stream().limit(POLLED).toList().forEach(id -> {
            seal(id);
            look(id);
        });
    }

    @Override
    public boolean done() {
        return open.isEmpty();
    }

    @Override
    public String toString() {
        return open.size() + " groups, such as " + open.stream().limit(3).toList();
    }
}
