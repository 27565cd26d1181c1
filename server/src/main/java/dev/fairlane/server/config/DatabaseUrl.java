package dev.fairlane.server.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/**
 * Where the database is, in the form people have it: {@code postgresql://user:password@host:5432/name}, as every tool of PostgreSQL takes
 * it, or the form of JDBC.
 *
 * @param jdbc empty for none
 */
record DatabaseUrl(String jdbc, String user, String password) {

    static DatabaseUrl parse(String text) {
        if (text.isEmpty() || text.startsWith("jdbc:postgresql:")) {
            return new DatabaseUrl(text, parameter(text, "user"), parameter(text, "password"));
        }
        if (!text.startsWith("postgresql://") && !text.startsWith("postgres://")) {
            throw new CannotStart("expected db.url to start with postgresql:// or jdbc:postgresql:, but it does not");
        }
        try {
            URI uri = new URI(text);
            if (uri.getHost() == null) {
                throw new CannotStart("expected a host in db.url, like postgresql://user@host:5432/name");
            }
            String[] who = uri.getRawUserInfo() == null
                    ? new String[] {}
                    : uri.getRawUserInfo().split(":", 2);
            String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
            String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
            return new DatabaseUrl(
                    "jdbc:postgresql://" + uri.getHost() + port + uri.getRawPath() + query,
                    who.length > 0 ? decode(who[0]) : "",
                    who.length > 1 ? decode(who[1]) : "");
        } catch (URISyntaxException e) {
            throw new CannotStart("db.url cannot be read: " + e.getReason(), e);
        }
    }

    /** Without what is secret in it. */
    static String shown(String text) {
        return text.replaceAll("://([^:/@]*):[^@]*@", "://$1:(hidden)@")
                .replaceAll("(?i)(password=)[^&]*", "$1(hidden)");
    }

    private static String parameter(String url, String name) {
        int question = url.indexOf('?');
        if (question >= 0) {
            for (String part : url.substring(question + 1).split("&")) {
                if (part.startsWith(name + "=")) {
                    return decode(part.substring(name.length() + 1));
                }
            }
        }
        return "";
    }

    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
