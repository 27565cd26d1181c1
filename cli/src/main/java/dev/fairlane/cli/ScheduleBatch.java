package dev.fairlane.cli;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Sends many schedules, a part at a time: a part is at most 1,000 of them or 2 MiB. */
final class ScheduleBatch {
    private static final int SCHEDULES_MAX = 1_000;
    private static final int CHARACTERS_MAX = 2 << 20;
    private static final Duration WITHIN = Duration.ofSeconds(60);

    /** Where in a call that cannot be read at all: which schedule, and what of it. */
    private static final Pattern PLACE = Pattern.compile("schedules\\[(\\d+)](?:\\.spec)?\\.?(.*)", Pattern.DOTALL);

    private final Api api;
    private final boolean dryRun;
    private final BiConsumer<String, Map<String, @Nullable Object>> heard;
    private final List<String> names = new ArrayList<>();
    private final StringBuilder part = new StringBuilder();
    private final List<Map<String, @Nullable Object>> answers = new ArrayList<>();

    /** @param heard gets what became of each schedule that was not refused, in their order */
    ScheduleBatch(Api api, boolean dryRun, BiConsumer<String, Map<String, @Nullable Object>> heard) {
        this.api = api;
        this.dryRun = dryRun;
        this.heard = heard;
    }

    /**
     * @return what became of each, in their order
     * @throws Failed if one is refused; those of its part and of the parts before it are done, those behind are not sent
     */
    List<Map<String, @Nullable Object>> putAll(Map<String, Map<String, @Nullable Object>> schedules) {
        try {
            sendAll(schedules);
            return answers;
        } catch (Failed e) {
            String done = dryRun ? "nothing was applied" : answers.size() + " of " + schedules.size() + " were applied";
            throw new Failed(e.exitCode(), e.code(), e.getMessage() + "; " + done);
        }
    }

    private void sendAll(Map<String, Map<String, @Nullable Object>> schedules) {
        schedules.forEach((name, spec) -> {
            Map<String, @Nullable Object> named = new LinkedHashMap<>();
            named.put("name", name);
            named.put("spec", spec);
            String text = Json.compact(named);
            if (names.size() == SCHEDULES_MAX || part.length() + text.length() > CHARACTERS_MAX) {
                send();
            }
            part.append(names.isEmpty() ? "" : ",").append(text);
            names.add(name);
        });
        send();
    }

    private void send() {
        if (names.isEmpty()) {
            return;
        }
        String body = "{\"dry_run\":" + dryRun + ",\"schedules\":[" + part + "]}";
        byte[] answer;
        try {
            answer = api.call("POST", "/v1/schedules:batch", body.getBytes(StandardCharsets.UTF_8), Api.JSON, WITHIN);
        } catch (Failed e) {
            throw named(e);
        }
        List<Map<String, @Nullable Object>> items =
                Json.objects(Json.object(Json.parse(answer)).get("items"));
        if (items.size() != names.size()) {
            throw new Failed(ExitCode.FAILED, "", "expected " + names.size() + " answers, but got " + items.size());
        }
        List<Failed> refused = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            Map<String, @Nullable Object> problem = Json.object(items.get(i).get("problem"));
            if (problem.isEmpty()) {
                answers.add(items.get(i));
                heard.accept(names.get(i), items.get(i));
            } else {
                refused.add(refused(names.get(i), problem));
            }
        }
        if (!refused.isEmpty()) {
            Failed first = refused.getFirst();
            throw refused.size() == 1
                    ? first
                    : new Failed(
                            first.exitCode(),
                            first.code(),
                            first.getMessage() + " (and " + (refused.size() - 1) + " more are refused)");
        }
        names.clear();
        part.setLength(0);
    }

    private static Failed refused(String name, Map<String, @Nullable Object> problem) {
        String field = Json.text(problem, "field");
        return new Failed(
                ExitCode.USAGE,
                Json.text(problem, "code"),
                "schedule " + name + ": " + (field.isEmpty() ? "" : field + ": ") + Json.text(problem, "detail"));
    }

    /** The same in the words of the file. */
    private Failed named(Failed e) {
        Matcher place = PLACE.matcher(String.valueOf(e.getMessage()));
        if (!place.matches() || Integer.parseInt(place.group(1)) >= names.size()) {
            return e;
        }
        String name = names.get(Integer.parseInt(place.group(1)));
        return new Failed(e.exitCode(), e.code(), "schedule " + name + ": " + place.group(2));
    }
}
