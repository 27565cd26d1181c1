package dev.fairlane.core.share;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Siblings by the last known value of something that only grows between a node's own events: a lower bound. The top is checked again
 * by the reader and sinks if it has grown; nothing else is touched as time passes.
 *
 * <p>Order: key, then tie, then the nodes' own order, so that it is total and the same on every run.
 */
final class NodeHeap {
    /** Keys that are compared lie side by side, but every move writes into a node somewhere else: rather compare more and move less. */
    private static final int CHILDREN = 4;

    private final boolean ofClock;
    private Member[] items = new Member[1];
    private double[] keys = new double[1];
    private long[] ties = new long[1];
    private int size;

    NodeHeap(boolean ofClock) {
        this.ofClock = ofClock;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    Member top() {
        return items[0];
    }

    Member get(int at) {
        return items[at];
    }

    double key(int at) {
        return keys[at];
    }

    double topKey() {
        return keys[0];
    }

    long topTie() {
        return ties[0];
    }

    /** Whether another has the key of the top, so that the tie decides. */
    boolean topTied() {
        for (int child = Math.min(CHILDREN, size - 1); child > 0; child--) {
            if (keys[child] == keys[0]) {
                return true;
            }
        }
        return false;
    }

    void push(Member member, double key, long tie) {
        if (size == items.length) {
            int capacity = size < 8 ? size * 4 : size * 2;
            items = Arrays.copyOf(items, capacity);
            keys = Arrays.copyOf(keys, capacity);
            ties = Arrays.copyOf(ties, capacity);
        }
        up(size++, member, key, tie);
    }

    /** The member's value may have fallen; returns whether it had. */
    boolean lower(Member member, double key, long tie) {
        int at = ofClock ? member.clockPlace : member.place;
        if (key < keys[at] || tie < ties[at]) {
            up(at, member, Math.min(key, keys[at]), Math.min(tie, ties[at]));
            return true;
        }
        return false;
    }

    /** The top's value has grown. */
    void raiseTop(double key, long tie) {
        down(0, items[0], key, tie);
    }

    void remove(Member member) {
        int at = ofClock ? member.clockPlace : member.place;
        setPlace(member, Member.OUT);
        size--;
        if (at < size) {
            Member moved = items[size];
            double key = keys[size];
            long tie = ties[size];
            if (at > 0 && before(key, tie, moved, parent(at))) {
                up(at, moved, key, tie);
            } else {
                down(at, moved, key, tie);
            }
        }
        clear(size);
    }

    @SuppressWarnings("NullAway") // beyond size nothing is read
    private void clear(int at) {
        items[at] = null;
    }

    private void up(int start, Member member, double key, long tie) {
        int at = start;
        while (at > 0) {
            int parent = parent(at);
            if (!before(key, tie, member, parent)) {
                break;
            }
            put(at, items[parent], keys[parent], ties[parent]);
            at = parent;
        }
        put(at, member, key, tie);
    }

    private void down(int start, Member member, double key, long tie) {
        int at = start;
        for (int first = at * CHILDREN + 1; first < size; first = at * CHILDREN + 1) {
            int child = first;
            int end = Math.min(first + CHILDREN, size);
            for (int other = first + 1; other < end; other++) {
                if (before(keys[other], ties[other], items[other], child)) {
                    child = other;
                }
            }
            if (!before(keys[child], ties[child], items[child], key, tie, member)) {
                break;
            }
            put(at, items[child], keys[child], ties[child]);
            at = child;
        }
        put(at, member, key, tie);
    }

    private static int parent(int at) {
        return (at - 1) / CHILDREN;
    }

    private boolean before(double key, long tie, Member member, int other) {
        return before(key, tie, member, keys[other], ties[other], items[other]);
    }

    static boolean before(double key, long tie, Member member, double otherKey, long otherTie, Member other) {
        if (key != otherKey) {
            return key < otherKey;
        }
        return tie != otherTie ? tie < otherTie : order(member.node) < order(other.node);
    }

    private static int order(@Nullable Node node) {
        return node == null ? 0 : node.order;
    }

    private void put(int at, Member member, double key, long tie) {
        if (items[at] != member) {
            items[at] = member;
        }
        keys[at] = key;
        ties[at] = tie;
        setPlace(member, at);
    }

    private void setPlace(Member member, int at) {
        if (ofClock) {
            member.clockPlace = at;
        } else {
            member.place = at;
        }
    }
}
