package dev.fairlane.server.rest;

import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.server.fault.Refused;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A path cut at its slashes first and decoded afterwards, so that {@code %2F} is part of a name. */
final class PathSegments {
    private static final int LENGTH_MAX = 2_048;

    private PathSegments() {}

    static List<String> of(String path) {
        if (path.length() > LENGTH_MAX) {
            throw Refused.of(ErrorCode.ROUTE_NOT_FOUND, "expected a path of at most " + LENGTH_MAX + " characters");
        }
        List<String> segments = new ArrayList<>();
        for (String part : path.substring(1).split("/", -1)) {
            segments.add(decode(part));
        }
        return segments;
    }

    private static String decode(String part) {
        if (part.indexOf('%') < 0) {
            return part;
        }
        try {
            return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw Refused.of(ErrorCode.MALFORMED_REQUEST, "the path is not percent-encoded as it should be");
        }
    }
}
