package dev.fairlane.sim.event;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What happened, as lines: the last of them kept for people, all of them in a hash for telling two runs apart. */
public final class Trace {
    private static final int KEPT = 300;
    private static final long PRIME = 0x100000001B3L;

    private final Agenda agenda;
    private final @Nullable Consumer<String> listener;
    private final ArrayDeque<Line> last = new ArrayDeque<>(KEPT);
    private long hash = 0xCBF29CE484222325L;

    private record Line(long at, String text) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%4d.%06d  %s", at / 1_000_000, at % 1_000_000, text);
        }
    }

    /** @param listener hears every line */
    public Trace(Agenda agenda, @Nullable Consumer<String> listener) {
        this.agenda = agenda;
        this.listener = listener;
    }

    public void say(String line) {
        mix(agenda.now());
        for (int i = 0; i < line.length(); i++) {
            mix(line.charAt(i));
        }
        Line said = new Line(agenda.now(), line);
        if (last.size() == KEPT) {
            last.removeFirst();
        }
        last.addLast(said);
        if (listener != null) {
            listener.accept(said.toString());
        }
    }

    private void mix(long value) {
        hash = (hash ^ value) * PRIME;
        hash ^= hash >>> 29;
    }

    public long hash() {
        return hash;
    }

    public List<String> last() {
        return last.stream().map(Line::toString).toList();
    }
}
