package dev.fairlane.core.share;

import java.util.Arrays;

/**
 * Accounts by the last known value of something that only grows between an account's own events: a lower bound. The top is
 * checked again by the reader and sinks if it has grown; nothing else is touched as time passes.
 *
 * <p>Order: key, then tie, then tenant number, so that it is total and the same on every run.
 */
final class AccountHeap {
    private Member[] items = new Member[4];
    private double[] keys = new double[4];
    private long[] ties = new long[4];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    Member top() {
        return items[0];
    }

    Member last() {
        return items[size - 1];
    }

    double topKey() {
        return keys[0];
    }

    long topTie() {
        return ties[0];
    }

    /** Whether another account has the key of the top, so that the tie decides. */
    boolean topTied() {
        return size > 1 && keys[1] == keys[0] || size > 2 && keys[2] == keys[0];
    }

    void push(Member member, double key, long tie) {
        if (size == items.length) {
            int capacity = size * 2;
            items = Arrays.copyOf(items, capacity);
            keys = Arrays.copyOf(keys, capacity);
            ties = Arrays.copyOf(ties, capacity);
        }
        up(size++, member, key, tie);
    }

    /** The member's value may have fallen. */
    void lower(Member member, double key, long tie) {
        int at = member.place;
        if (key < keys[at] || tie < ties[at]) {
            up(at, member, Math.min(key, keys[at]), Math.min(tie, ties[at]));
        }
    }

    /** The top's value has grown. */
    void raiseTop(double key, long tie) {
        down(0, items[0], key, tie);
    }

    void remove(Member member) {
        int at = member.place;
        member.place = Member.OUT;
        size--;
        if (at < size) {
            Member moved = items[size];
            double key = keys[size];
            long tie = ties[size];
            if (at > 0 && before(key, tie, moved, at - 1 >>> 1)) {
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
            int parent = at - 1 >>> 1;
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
        int half = size >>> 1;
        while (at < half) {
            int child = 2 * at + 1;
            if (child + 1 < size && before(keys[child + 1], ties[child + 1], items[child + 1], child)) {
                child++;
            }
            if (!before(keys[child], ties[child], items[child], key, tie, member)) {
                break;
            }
            put(at, items[child], keys[child], ties[child]);
            at = child;
        }
        put(at, member, key, tie);
    }

    private boolean before(double key, long tie, Member member, int other) {
        return before(key, tie, member, keys[other], ties[other], items[other]);
    }

    static boolean before(double key, long tie, Member member, double otherKey, long otherTie, Member other) {
        if (key != otherKey) {
            return key < otherKey;
        }
        return tie != otherTie ? tie < otherTie : member.account.tenant < other.account.tenant;
    }

    private void put(int at, Member member, double key, long tie) {
        items[at] = member;
        keys[at] = key;
        ties[at] = tie;
        member.place = at;
    }
}
