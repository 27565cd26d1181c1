package dev.fairlane.server.config;

import java.util.Locale;

/**
 * A setting there is.
 *
 * @param name as in the file, e.g. {@code listen.port}
 * @param fallback what holds when nobody says otherwise, written as one would write it in the file; empty for "not set"
 * @param secret never printed
 * @param about one line for people
 */
public record Key<T>(String name, Form<T> form, String fallback, boolean secret, String about) {

    static <T> Key<T> of(String name, Form<T> form, String fallback, String about) {
        return new Key<>(name, form, fallback, false, about);
    }

    static <T> Key<T> secret(String name, Form<T> form, String about) {
        return new Key<>(name, form, "", true, about);
    }

    /** {@code listen.port} is {@code FAIRLANE_LISTEN_PORT}. */
    public String variable() {
        return "FAIRLANE_" + name.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
