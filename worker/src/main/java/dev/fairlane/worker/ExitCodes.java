package dev.fairlane.worker;

import dev.fairlane.sdk.DependencyFailedException;
import dev.fairlane.sdk.NonRetryableException;
import dev.fairlane.sdk.ResourceViolationException;
import dev.fairlane.sdk.RetryAfterException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What the exit code of a command means for its job. The defaults are those of {@code sysexits.h}. */
final class ExitCodes {
    static final Duration COME_BACK_AFTER = Duration.ofSeconds(10);

    private static final String DEFAULT_DEPENDENCY = "service";

    private enum Meaning {
        APP_ERROR,
        NON_RETRYABLE,
        RATE_LIMITED,
        DEPENDENCY,
        RESOURCE_VIOLATION
    }

    /** @param detail name of a dependency, or seconds to wait; empty without */
    private record Rule(Meaning meaning, String detail) {}

    private static final Map<Integer, Rule> DEFAULTS = Map.of(
            64, new Rule(Meaning.NON_RETRYABLE, ""),
            65, new Rule(Meaning.NON_RETRYABLE, ""),
            78, new Rule(Meaning.NON_RETRYABLE, ""),
            69, new Rule(Meaning.DEPENDENCY, DEFAULT_DEPENDENCY),
            75, new Rule(Meaning.RATE_LIMITED, ""),
            137, new Rule(Meaning.RESOURCE_VIOLATION, ""));

    static final ExitCodes USUAL = new ExitCodes(DEFAULTS);

    private final Map<Integer, Rule> rules;

    private ExitCodes(Map<Integer, Rule> rules) {
        this.rules = rules;
    }

    /**
     * The usual meanings with some of them changed.
     *
     * @param given each {@code CODE=CLASS}, {@code CODE=rate_limited:SECONDS} or {@code CODE=dependency:NAME}
     * @throws IllegalArgumentException with a word for the one who wrote it
     */
    static ExitCodes with(List<String> given) {
        Map<Integer, Rule> rules = new HashMap<>(DEFAULTS);
        for (String one : given) {
            int equals = one.indexOf('=');
            try {
                int code = Integer.parseInt(one.substring(0, Math.max(0, equals)));
                if (code < 1 || code > 255) {
                    throw wrong(one);
                }
                rules.put(code, rule(one, one.substring(equals + 1)));
            } catch (NumberFormatException notANumber) {
                throw wrong(one);
            }
        }
        return new ExitCodes(rules);
    }

    private static Rule rule(String given, String text) {
        String[] parts = text.split(":", 2);
        String detail = parts.length == 2 ? parts[1] : "";
        for (Meaning meaning : Meaning.values()) {
            if (meaning.name().equals(parts[0].toUpperCase(Locale.ROOT))) {
                boolean takesDetail = meaning == Meaning.RATE_LIMITED || meaning == Meaning.DEPENDENCY;
                boolean seconds = detail.isEmpty() || detail.matches("[0-9]{1,6}");
                if (parts.length == 2 && (!takesDetail || detail.isEmpty())
                        || meaning == Meaning.RATE_LIMITED && !seconds) {
                    throw wrong(given);
                }
                return new Rule(
                        meaning, meaning == Meaning.DEPENDENCY && detail.isEmpty() ? DEFAULT_DEPENDENCY : detail);
            }
        }
        throw wrong(given);
    }

    private static IllegalArgumentException wrong(String given) {
        return new IllegalArgumentException("expected --exit CODE=CLASS with a code of 1 to 255 and app_error,"
                + " non_retryable, rate_limited[:SECONDS], dependency[:NAME] or resource_violation, but got '" + given
                + "'");
    }

    /** What a handler throws for a command that did not exit with 0. */
    RuntimeException failure(int exit, String stderr) {
        ToldByCommand.Ending ending = new ToldByCommand.Ending(exit, stderr);
        Rule rule = rules.getOrDefault(exit, new Rule(Meaning.APP_ERROR, ""));
        return switch (rule.meaning) {
            case APP_ERROR -> new CommandFailed(ending);
            case NON_RETRYABLE -> new Hopeless(ending);
            case RATE_LIMITED ->
                new ComeBack(
                        rule.detail.isEmpty() ? COME_BACK_AFTER : Duration.ofSeconds(Long.parseLong(rule.detail)),
                        ending);
            case DEPENDENCY -> new Blamed(rule.detail, ending);
            case RESOURCE_VIOLATION -> new Killed(ending);
        };
    }

    @Override
    public String toString() {
        return new TreeMap<>(rules).toString();
    }

    private static final class ComeBack extends RetryAfterException implements ToldByCommand {
        private static final long serialVersionUID = 1L;
        private final Ending ending;

        ComeBack(Duration after, Ending ending) {
            super(after, ending.message());
            this.ending = ending;
        }

        @Override
        public Ending ending() {
            return ending;
        }
    }

    private static final class Hopeless extends NonRetryableException implements ToldByCommand {
        private static final long serialVersionUID = 1L;
        private final Ending ending;

        Hopeless(Ending ending) {
            super(ending.message());
            this.ending = ending;
        }

        @Override
        public Ending ending() {
            return ending;
        }
    }

    private static final class Blamed extends DependencyFailedException implements ToldByCommand {
        private static final long serialVersionUID = 1L;
        private final Ending ending;

        Blamed(String dependency, Ending ending) {
            super(dependency, ending.message());
            this.ending = ending;
        }

        @Override
        public Ending ending() {
            return ending;
        }
    }

    private static final class Killed extends ResourceViolationException implements ToldByCommand {
        private static final long serialVersionUID = 1L;
        private final Ending ending;

        Killed(Ending ending) {
            super(ending.message());
            this.ending = ending;
        }

        @Override
        public Ending ending() {
            return ending;
        }
    }
}
