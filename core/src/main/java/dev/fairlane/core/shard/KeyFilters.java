package dev.fairlane.core.shard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known in memory of keys that are not: one filter per span of submit times, and some for keys of dead jobs, which count
 * whatever their age. A key that left memory is in the filter of its span, so "in no filter" means "not stored".
 *
 * <p>Bounded: a span goes when no key of it counts any longer; a filter takes 2 bytes a key.
 */
final class KeyFilters {
    private static final int DEAD_FIRST = 1 << 10;
    private static final int DEAD_MOST = 1 << 20;
    /** Spans that are gathered at once while they are loaded; stores tell them one after the other. */
    private static final int GATHERED_SPANS = 4;

    private final long spanMicros;
    private final long retentionMicros;
    private final List<Span> spans = new ArrayList<>();
    private final List<Dead> dead = new ArrayList<>();
    private final List<Gathering> gatherings = new ArrayList<>();

    private static final class Span {
        final long number;
        int expected;

        @Nullable KeyFilter filter;

        Span(long number) {
            this.number = number;
        }
    }

    private static final class Dead {
        final KeyFilter filter;
        final int room;
        int keys;
        long newest;

        Dead(int room) {
            this.room = room;
            this.filter = new KeyFilter(room);
        }
    }

    /** Digests of a span whose number of keys is not known yet. */
    private static final class Gathering {
        final Span span;
        long[] digests = new long[1 << 10];
        int size;

        Gathering(Span span) {
            this.span = span;
        }
    }

    KeyFilters(long spanMicros, long retentionMicros) {
        this.spanMicros = spanMicros;
        this.retentionMicros = retentionMicros;
    }

    /** The first time whose keys stay in memory: that of the span before the present one. */
    long recentFrom(long now) {
        return (Math.floorDiv(now, spanMicros) - 1) * spanMicros;
    }

    /** A key of this time came into memory: there will be one more when its span is sealed. */
    void expect(long submittedAt) {
        span(submittedAt).expected++;
    }

    /** A key leaves memory. */
    void add(long digest, long submittedAt) {
        settle();
        Span span = span(submittedAt);
        KeyFilter filter = span.filter;
        if (filter == null) {
            filter = new KeyFilter(span.expected);
            span.filter = filter;
        }
        filter.add(digest);
    }

    /** The key of a dead job leaves memory. */
    void addDead(long digest, long endedAt) {
        Dead last = dead.isEmpty() ? null : dead.getLast();
        if (last == null || last.keys == last.room) {
            last = new Dead(last == null ? DEAD_FIRST : Math.min(last.room * 2, DEAD_MOST));
            dead.add(last);
        }
        last.filter.add(digest);
        last.keys++;
        last.newest = Math.max(last.newest, endedAt);
    }

    /** A stored key that never was in this memory. */
    void load(long digest, long submittedAt) {
        Span span = span(submittedAt);
        if (span.filter != null) {
            span.filter.add(digest);
            return;
        }
        Gathering gathering = gathering(span);
        if (gathering.size == gathering.digests.length) {
            gathering.digests = Arrays.copyOf(gathering.digests, gathering.size * 2);
        }
        gathering.digests[gathering.size++] = digest;
    }

    private Gathering gathering(Span span) {
        for (Gathering gathering : gatherings) {
            if (gathering.span == span) {
                return gathering;
            }
        }
        if (gatherings.size() == GATHERED_SPANS) {
            build(gatherings.removeFirst());
        }
        Gathering added = new Gathering(span);
        gatherings.add(added);
        return added;
    }

    private static void build(Gathering gathering) {
        Span span = gathering.span;
        KeyFilter filter = span.filter;
        if (filter == null) {
            filter = new KeyFilter((long) span.expected + gathering.size);
            span.filter = filter;
        }
        for (int i = 0; i < gathering.size; i++) {
            filter.add(gathering.digests[i]);
        }
    }

    /** Everything stored was told. */
    private void settle() {
        if (gatherings.isEmpty()) {
            return;
        }
        gatherings.forEach(KeyFilters::build);
        gatherings.clear();
    }

    boolean mayBeDead(long digest) {
        for (int i = 0; i < dead.size(); i++) {
            if (dead.get(i).filter.mayHave(digest)) {
                return true;
            }
        }
        return false;
    }

    /** First time of the earliest span that may have a key that still counts, or {@code Long.MAX_VALUE}. */
    long earliest(long digest, long now) {
        settle();
        for (int i = 0; i < spans.size(); i++) {
            Span span = spans.get(i);
            if (counts(span, now) && span.filter != null && span.filter.mayHave(digest)) {
                return span.number * spanMicros;
            }
        }
        return Long.MAX_VALUE;
    }

    /** End of the latest span that may have a key that still counts, or {@code Long.MIN_VALUE}. */
    long latest(long digest, long now) {
        for (int i = spans.size() - 1; i >= 0; i--) {
            Span span = spans.get(i);
            if (counts(span, now) && span.filter != null && span.filter.mayHave(digest)) {
                return (span.number + 1) * spanMicros;
            }
        }
        return Long.MIN_VALUE;
    }

    private boolean counts(Span span, long now) {
        return (span.number + 1) * spanMicros + retentionMicros > now;
    }

    /** Drops what no longer counts: spans by their time, keys of dead jobs that ended before the given one. */
    void forget(long now, long deadBefore) {
        while (!spans.isEmpty() && !counts(spans.getFirst(), now)) {
            spans.removeFirst();
        }
        while (!dead.isEmpty() && dead.getFirst().newest < deadBefore) {
            dead.removeFirst();
        }
    }

    private Span span(long time) {
        long number = Math.floorDiv(time, spanMicros);
        int at = spans.size();
        while (at > 0 && spans.get(at - 1).number >= number) {
            at--;
            if (spans.get(at).number == number) {
                return spans.get(at);
            }
        }
        Span added = new Span(number);
        spans.add(at, added);
        return added;
    }

    long bytes() {
        long sum = 0;
        for (Span span : spans) {
            sum += span.filter == null ? 0 : span.filter.bytes();
        }
        for (Dead one : dead) {
            sum += one.filter.bytes();
        }
        return sum;
    }
}
