package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.GroupProgress;
import dev.fairlane.core.model.GroupProgress.State;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobView;
import dev.fairlane.sim.seen.Ending;
import dev.fairlane.sim.seen.Lives;
import dev.fairlane.sim.seen.Sighting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A group counts each member once and each end once, is done when all its members were at their end, and then submits its callback
 * once. What is shown of it never goes back, and done is done.
 */
public final class GroupsAddUp implements Invariant {
    private static final String HEADER = "fairlane-group";

    private final Map<JobId, GroupProgress> done = new HashMap<>();
    private final Map<JobId, GroupProgress> furthest = new HashMap<>();
    private final Map<Long, GroupProgress> asked = new HashMap<>();

    @Override
    public void saw(Sighting sighting) {
        switch (sighting) {
            case Sighting.GroupAnswered answered -> shown(answered.group());
            case Sighting.GroupReadArrived read -> {
                GroupProgress bound = furthest.get(read.id());
                if (bound != null) {
                    asked.put(read.number(), bound);
                }
            }
            case Sighting.GroupRead read -> {
                GroupProgress bound = asked.remove(read.number());
                if (bound != null && read.owner()) {
                    require(read.group().isPresent(), "group " + read.id() + " was shown, and now is nowhere");
                    read.group().ifPresent(group -> notBehind(bound, group));
                }
                read.group().ifPresent(this::shown);
            }
            default -> {}
        }
    }

    private void notBehind(GroupProgress bound, JobGroup group) {
        GroupProgress is = group.progress();
        require(
                is.state().compareTo(bound.state()) >= 0 && is.total() >= bound.total(),
                "group " + group.id() + " was " + bound + " and is now " + is);
    }

    private void shown(JobGroup group) {
        GroupProgress is = group.progress();
        require(is.ended() <= is.total(), "group " + group.id() + " counts more ends than members: " + is);
        if (is.state() == State.DONE) {
            require(is.ended() == is.total(), "group " + group.id() + " is done and waits for members: " + is);
            GroupProgress before = done.putIfAbsent(group.id(), is);
            require(before == null || before.equals(is), "group " + group.id() + " was " + before + " and is " + is);
        }
        furthest.merge(group.id(), is, (a, b) -> a.state().compareTo(b.state()) > 0 || a.total() > b.total() ? a : b);
    }

    @Override
    public void ended(Ending ending) {
        Map<String, List<JobView>> members = new HashMap<>();
        Map<String, List<JobView>> callbacks = new HashMap<>();
        for (JobView job : ending.stored()) {
            String group = job.spec().terms().group();
            if (!group.isEmpty()) {
                members.computeIfAbsent(group, id -> new ArrayList<>()).add(job);
            }
            String calledBy = job.spec().headers().getOrDefault(HEADER, "");
            if (!calledBy.isEmpty()) {
                callbacks.computeIfAbsent(calledBy, id -> new ArrayList<>()).add(job);
            }
        }
        Set<JobId> left =
                new LinkedHashSet<>(members.keySet().stream().map(JobId::parse).toList());
        for (JobGroup group : ending.groups()) {
            left.remove(group.id());
            String id = group.id().toString();
            shown(group);
            counts(group, members.getOrDefault(id, List.of()));
            calls(group, callbacks.getOrDefault(id, List.of()));
        }
        require(left.isEmpty(), "groups " + left + " have members and are not in the store at the end");
    }

    private void counts(JobGroup group, List<JobView> members) {
        GroupProgress is = group.progress();
        String said = "group " + group.id() + " is " + is + ", but its members are "
                + members.stream().map(job -> job.status().state()).toList();
        require(is.total() == members.size(), said);
        boolean replayed = members.stream().anyMatch(job -> Lives.of(job.status()) > 0);
        if (is.state() == State.DONE && replayed) {
            // What was brought back after the group was done ended anew, and the group stays as it was.
            require(
                    is.succeeded() <= count(members, JobState.SUCCEEDED)
                            && is.cancelled() <= count(members, JobState.CANCELLED)
                            && is.expired() <= count(members, JobState.EXPIRED),
                    said);
            return;
        }
        require(
                is.succeeded() == count(members, JobState.SUCCEEDED)
                        && is.dead() == count(members, JobState.DEAD)
                        && is.cancelled() == count(members, JobState.CANCELLED)
                        && is.expired() == count(members, JobState.EXPIRED),
                said);
        require(is.state() != State.SEALED || is.ended() < is.total(), said + ", and it is not done");
    }

    private static long count(List<JobView> members, JobState state) {
        return members.stream().filter(job -> job.status().state() == state).count();
    }

    private void calls(JobGroup group, List<JobView> callbacks) {
        GroupProgress is = group.progress();
        boolean wanted = is.state() == State.DONE
                && group.callback() != null
                && (group.callbackOn() == JobGroup.CallbackOn.ALL_DONE || is.succeeded() == is.total());
        List<JobId> ids = callbacks.stream().map(job -> job.spec().id()).toList();
        JobId named = is.callbackJob();
        require(
                ids.equals(named == null ? List.of() : List.of(named)) && (named != null) == wanted,
                "group " + group.id() + " is " + is + ", and its callbacks are " + ids);
    }
}
