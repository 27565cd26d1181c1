package dev.fairlane.e2e.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** All events of a run in the order of their times, and by the job they speak of. */
public final class History {
    private final List<Event> events;
    private final Map<String, JobStory> jobs = new LinkedHashMap<>();

    private History(List<Event> events) {
        this.events = events;
        events.forEach(this::tell);
    }

    public static History of(Collection<? extends Event> events) {
        List<Event> sorted = new ArrayList<>(events);
        sorted.sort(Comparator.comparingLong(Event::at));
        return new History(sorted);
    }

    /** Reads every file of a folder whose name ends with {@code .history}. */
    public static History read(Path folder) {
        List<Event> events = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(f -> f.toString().endsWith(".history")).toList()) {
                read(file, events);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the histories in " + folder, e);
        }
        return of(events);
    }

    private static void read(Path file, List<Event> into) throws IOException {
        String text = Files.readString(file, StandardCharsets.UTF_8);
        // A process that was killed may leave half a line: nothing was built on it, because it was never durable as a
        // whole.
        int end = text.lastIndexOf('\n');
        text.substring(0, end + 1).lines().map(Event::parse).forEach(into::add);
    }

    public List<Event> events() {
        return events;
    }

    public <E extends Event> Stream<E> events(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast);
    }

    /** Everything that was said about each job whose id was ever seen. */
    public Collection<JobStory> jobs() {
        return jobs.values();
    }

    private void tell(Event event) {
        switch (event) {
            case Event.Acked e -> story(e.job()).acks.add(e);
            case Event.CancelAnswered e -> story(e.job()).cancels.add(e);
            case Event.Read e -> story(e.job()).reads.add(e);
            case Event.Listed e -> story(e.job()).rows.add(e);
            case Event.Started e -> story(e.job()).starts.add(e);
            case Event.Ended e -> story(e.job()).ends.add(e);
            case Event.CancelHeard e -> story(e.job()).heard.add(e);
            case Event.Answered e -> story(e.job()).answers.add(e);
            case Event.Submitting e -> {}
            case Event.Refused e -> {}
            case Event.Unknown e -> {}
            case Event.Cancelling e -> {}
            case Event.Contact e -> {}
            case Event.AuditRead e -> {}
            case Event.ChainRead e -> {}
            case Event.Audited e -> {}
            case Event.Scheduled e -> {}
            case Event.Unscheduled e -> {}
            case Event.Ticked e -> {}
            case Event.Capped e -> {}
            case Event.Allowed e -> {}
            case Event.Held e -> {}
            case Event.Struck e -> {}
            case Event.Healed e -> {}
        }
    }

    private JobStory story(String job) {
        return jobs.computeIfAbsent(job, JobStory::new);
    }
}
