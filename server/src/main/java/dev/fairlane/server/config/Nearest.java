package dev.fairlane.server.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The name somebody probably meant. */
final class Nearest {
    private Nearest() {}

    /** The closest of the names, if it is close enough to be a slip of the pen. */
    static Optional<String> to(String given, Collection<String> names) {
        return names.stream()
                .min(Comparator.comparingInt((String name) -> distance(given, name))
                        .thenComparing(Comparator.naturalOrder()))
                .filter(name -> distance(given, name) <= Math.max(2, given.length() / 3));
    }

    static String hint(String given, Collection<String> names) {
        return to(given, names).map(name -> "; did you mean " + name + "?").orElse("");
    }

    /** Levenshtein. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? diagonal : diagonal + 1;
                row[j] = Math.min(change, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
