package dev.fairlane.server.routes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A path of {@code google.api.http}: literal segments and {@code {variables}}, the last one with an optional {@code :verb}. */
public final class PathTemplate {
    private final String text;
    private final List<Segment> segments;

    /** @param name of the variable, or empty for a literal; {@code tail} follows the variable or is the literal itself */
    private record Segment(String name, String tail) {
        boolean variable() {
            return !name.isEmpty();
        }
    }

    private PathTemplate(String text, List<Segment> segments) {
        this.text = text;
        this.segments = segments;
    }

    static PathTemplate parse(String text) {
        List<Segment> segments = new ArrayList<>();
        for (String part : text.substring(1).split("/", -1)) {
            int close = part.indexOf('}');
            segments.add(
                    part.startsWith("{") && close > 0
                            ? new Segment(part.substring(1, close), part.substring(close + 1))
                            : new Segment("", part));
        }
        return new PathTemplate(text, List.copyOf(segments));
    }

    public List<String> variables() {
        return segments.stream().filter(Segment::variable).map(Segment::name).toList();
    }

    /** The variables of a path split at its slashes and decoded, or empty when it is another path. */
    Optional<Map<String, String>> match(List<String> path) {
        if (path.size() != segments.size()) {
            return Optional.empty();
        }
        Map<String, String> found = new TreeMap<>();
        for (int i = 0; i < path.size(); i++) {
            Segment segment = segments.get(i);
            String part = path.get(i);
            if (!segment.variable()) {
                if (!segment.tail().equals(part)) {
                    return Optional.empty();
                }
                continue;
            }
            int end = part.length() - segment.tail().length();
            if (end <= 0 || !part.endsWith(segment.tail())) {
                return Optional.empty();
            }
            found.put(segment.name(), part.substring(0, end));
        }
        return Optional.of(found);
    }

    /** Longer tails are tried first, so that {@code /v1/jobs/{id}:await} is not taken for an id. */
    int precision() {
        return segments.stream()
                .mapToInt(segment ->
                        (segment.variable() ? 0 : 100) + segment.tail().length())
                .sum();
    }

    @Override
    public String toString() {
        return text;
    }
}
