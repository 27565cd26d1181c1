package dev.fairlane.e2e.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What was seen of one job, each kind in the order of time. */
public final class JobStory {
    private final String id;
    final List<Event.Acked> acks = new ArrayList<>(1);
    final List<Event.CancelAnswered> cancels = new ArrayList<>(0);
    final List<Event.Read> reads = new ArrayList<>(2);
    final List<Event.Listed> rows = new ArrayList<>(2);
    final List<Event.Started> starts = new ArrayList<>(1);
    final List<Event.Ended> ends = new ArrayList<>(1);
    final List<Event.CancelHeard> heard = new ArrayList<>(0);
    final List<Event.Answered> answers = new ArrayList<>(0);

    JobStory(String id) {
        this.id = id;
    }

    public String id() {
        return id;
    }

    public boolean acked() {
        return !acks.isEmpty();
    }

    public List<Event.Acked> acks() {
        return Collections.unmodifiableList(acks);
    }

    public List<Event.CancelAnswered> cancels() {
        return Collections.unmodifiableList(cancels);
    }

    public List<Event.Read> reads() {
        return Collections.unmodifiableList(reads);
    }

    public List<Event.Listed> rows() {
        return Collections.unmodifiableList(rows);
    }

    public List<Event.Started> starts() {
        return Collections.unmodifiableList(starts);
    }

    public List<Event.Ended> ends() {
        return Collections.unmodifiableList(ends);
    }

    public List<Event.CancelHeard> heard() {
        return Collections.unmodifiableList(heard);
    }

    public List<Event.Answered> answers() {
        return Collections.unmodifiableList(answers);
    }
}
