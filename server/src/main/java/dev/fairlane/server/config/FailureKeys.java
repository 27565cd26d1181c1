package dev.fairlane.server.config;

import static dev.fairlane.server.config.Form.DURATION;
import static dev.fairlane.server.config.Form.number;

import dev.fairlane.core.model.FailureRules;
import dev.fairlane.core.model.TypeRules.Threshold;
import java.util.List;

/** What a node does about failures, unless a type says otherwise. */
final class FailureKeys {
    private static final Key<Long> MAX_AGE = Key.of(
            "failures.max_age", DURATION, "7d", "Longest time from submit, or from when it was due, to a job's end");
    private static final Key<Integer> TIMEOUT_RETRIES =
            Key.of("failures.timeout_retries", number(0, 100), "1", "Retries after running over the time limit");
    private static final Key<Integer> RESOURCE_RETRIES =
            Key.of("failures.resource_retries", number(0, 100), "1", "Retries after being killed for memory or CPU");
    private static final Key<Integer> CRASHED_WORKERS = Key.of(
            "failures.crashed_workers",
            number(1, 1_000_000),
            "10",
            "Workers a tenant's jobs may crash in a pool a minute before they run one at a time");

    private static final Key<Integer> BREAKER_RUNS =
            Key.of("breaker.runs", number(1, 1_000_000), "20", "Least runs in the window before a breaker may open");
    private static final Key<Integer> BREAKER_PERCENT =
            Key.of("breaker.failing_percent", number(1, 100), "50", "Failing runs that open a breaker, of 100");
    private static final Key<Long> BREAKER_WINDOW =
            Key.of("breaker.window", DURATION, "10s", "How far back a breaker looks");
    private static final Key<Long> PROBE_AFTER =
            Key.of("breaker.probe_after", DURATION, "10s", "From the opening of a breaker to the first probe");
    private static final Key<Long> PROBE_EVERY = Key.of("breaker.probe_every", DURATION, "5s", "From probe to probe");
    private static final Key<Integer> GOOD_PROBES =
            Key.of("breaker.good_probes", number(1, 1_000), "3", "Good probes in a row that close a breaker");
    private static final Key<Integer> MAX_BREAKERS = Key.of(
            "breaker.max_per_tenant", number(1, 1_000_000), "1000", "Breakers of a tenant; more are counted, not made");

    private static final Key<Integer> BUDGET_PER_MINUTE = Key.of(
            "retry_budget.per_minute",
            number(1, 10_000_000),
            "60",
            "Retries a tenant may have released a minute in any case");
    private static final Key<Integer> BUDGET_PER_DISPATCH = Key.of(
            "retry_budget.per_dispatch",
            number(0, 1_000),
            "2",
            "And as many for each first dispatch of the last minute, whichever is more");
    private static final Key<Long> POSTPONED = Key.of(
            "retry_budget.postponed",
            DURATION,
            "1h",
            "Longest a retry is put off for the budget before its job is dead");

    private static final Key<Integer> QUARANTINE_RUNS =
            Key.of("quarantine.runs", number(1, 1_000_000), "20", "Least runs in the window before a type is poison");
    private static final Key<Integer> QUARANTINE_PERCENT =
            Key.of("quarantine.failing_percent", number(1, 100), "50", "Failing runs that make it poison, of 100");
    private static final Key<Long> QUARANTINE_WINDOW = Key.of(
            "quarantine.window", DURATION, "1h", "How far back, and how long it must be calm to leave quarantine");
    private static final Key<Integer> QUARANTINE_ATTEMPTS =
            Key.of("quarantine.attempts", number(1, 100), "2", "Attempts of a job whose type is in quarantine");

    static final List<Key<?>> ALL = List.of(
            MAX_AGE,
            TIMEOUT_RETRIES,
            RESOURCE_RETRIES,
            CRASHED_WORKERS,
            BREAKER_RUNS,
            BREAKER_PERCENT,
            BREAKER_WINDOW,
            PROBE_AFTER,
            PROBE_EVERY,
            GOOD_PROBES,
            MAX_BREAKERS,
            BUDGET_PER_MINUTE,
            BUDGET_PER_DISPATCH,
            POSTPONED,
            QUARANTINE_RUNS,
            QUARANTINE_PERCENT,
            QUARANTINE_WINDOW,
            QUARANTINE_ATTEMPTS);

    private FailureKeys() {}

    static FailureRules rules(Settings settings) {
        return new FailureRules(
                settings.get(MAX_AGE),
                settings.get(TIMEOUT_RETRIES),
                settings.get(RESOURCE_RETRIES),
                new Threshold(settings.get(BREAKER_RUNS), settings.get(BREAKER_PERCENT), settings.get(BREAKER_WINDOW)),
                settings.get(PROBE_AFTER),
                settings.get(PROBE_EVERY),
                settings.get(GOOD_PROBES),
                settings.get(MAX_BREAKERS),
                settings.get(BUDGET_PER_MINUTE),
                settings.get(BUDGET_PER_DISPATCH),
                settings.get(POSTPONED),
                new Threshold(
                        settings.get(QUARANTINE_RUNS),
                        settings.get(QUARANTINE_PERCENT),
                        settings.get(QUARANTINE_WINDOW)),
                settings.get(QUARANTINE_ATTEMPTS),
                settings.get(CRASHED_WORKERS));
    }
}
