package dev.fairlane.server.auth;

import java.util.Locale;
import java.util.Optional;

/** What a key may do; {@code Permissions} says which call needs which. */
public enum Role {
    ADMIN,
    SUBMITTER,
    WORKER,
    VIEWER;

    private static final Role[] ALL = values();

    /** The name as stored and shown. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Role> find(String text) {
        for (Role role : ALL) {
            if (role.text().equals(text)) {
                return Optional.of(role);
            }
        }
        return Optional.empty();
    }
}
