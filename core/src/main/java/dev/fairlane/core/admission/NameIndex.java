package dev.fairlane.core.admission;

import java.util.Arrays;

/** Finds numbers by the names they have: an open table of numbers alone. The owner keeps the names. */
final class NameIndex {
    static final int NONE = -1;

    /** Tells the name of a number that is in the table. */
    interface Names {
        String of(int number);
    }

    private final Names names;
    private int[] table = filled(64);
    private int size;

    NameIndex(Names names) {
        this.names = names;
    }

    private static int[] filled(int length) {
        int[] table = new int[length];
        Arrays.fill(table, NONE);
        return table;
    }

    int size() {
        return size;
    }

    int find(String name) {
        for (int at = home(name); table[at] != NONE; at = after(at)) {
            if (names.of(table[at]).equals(name)) {
                return table[at];
            }
        }
        return NONE;
    }

    /** Takes in a number whose name nobody else has. */
    void add(int number) {
        if (4 * (size + 1) > 3 * table.length) {
            int[] old = table;
            table = filled(2 * old.length);
            for (int each : old) {
                if (each != NONE) {
                    put(each);
                }
            }
        }
        put(number);
        size++;
    }

    private void put(int number) {
        int at = home(names.of(number));
        while (table[at] != NONE) {
            at = after(at);
        }
        table[at] = number;
    }

    /** Takes out a number that still has its name. */
    void remove(int number) {
        int at = home(names.of(number));
        while (table[at] != number) {
            if (table[at] == NONE) {
                return;
            }
            at = after(at);
        }
        table[at] = NONE;
        size--;
        // those behind it may have been put there because its place was taken
        for (int next = after(at); table[next] != NONE; next = after(next)) {
            int moved = table[next];
            table[next] = NONE;
            put(moved);
        }
    }

    private int home(String name) {
        int hash = name.hashCode() * 0x9E3779B9;
        return (hash ^ hash >>> 15) & table.length - 1;
    }

    private int after(int at) {
        return at + 1 & table.length - 1;
    }
}
