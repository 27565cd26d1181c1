package dev.fairlane.journal;

import static dev.fairlane.journal.FieldReader.BYTES;
import static dev.fairlane.journal.FieldReader.FIXED64;
import static dev.fairlane.journal.FieldReader.GROUP;
import static dev.fairlane.journal.FieldReader.VARINT;

import dev.fairlane.core.model.TypeRules;
import dev.fairlane.core.model.TypeRules.By;
import dev.fairlane.core.model.TypeRules.Conflict;
import dev.fairlane.core.model.TypeRules.During;
import dev.fairlane.core.model.TypeRules.Threshold;
import dev.fairlane.core.model.TypeRules.UniqueRule;
import dev.fairlane.journal.stored.CapFields;
import dev.fairlane.journal.stored.RulesFields;
import dev.fairlane.journal.stored.ThresholdFields;
import dev.fairlane.journal.stored.UniqueFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the rules of a job type. */
final class RulesReader {
    private static final By[] BYS = By.values();
    private static final During[] DURINGS = During.values();
    private static final Conflict[] CONFLICTS = Conflict.values();

    private RulesReader() {}

    static TypeRules read(FieldReader reader, int field) throws IOException {
        TypeRules.Draft rules = new TypeRules.Draft();
        List<Long> delays = new ArrayList<>();
        List<String> retryOn = new ArrayList<>();
        List<String> dependencies = new ArrayList<>();
        Map<String, Integer> caps = new LinkedHashMap<>();
        for (int tag = reader.next(field); tag != 0; tag = reader.next(field)) {
            switch (tag) {
                case RulesFields.RETRY_DELAYS_MICROS_FIELD_NUMBER << 3 | VARINT -> delays.add(reader.in.readUInt64());
                case RulesFields.RETRY_JITTER_FIELD_NUMBER << 3 | FIXED64 -> rules.retryJitter = reader.in.readDouble();
                case RulesFields.TIMEOUT_RETRIES_FIELD_NUMBER << 3 | VARINT ->
                    rules.timeoutRetries = reader.in.readUInt32() - 1;
                case RulesFields.RESOURCE_RETRIES_FIELD_NUMBER << 3 | VARINT ->
                    rules.resourceRetries = reader.in.readUInt32() - 1;
                case RulesFields.CRASH_LIMIT_FIELD_NUMBER << 3 | VARINT ->
                    rules.crashLimit = reader.in.readUInt32() - 1;
                case RulesFields.RETRY_ON_FIELD_NUMBER << 3 | VARINT -> retryOn.add(reader.name());
                case RulesFields.MAX_AGE_MICROS_FIELD_NUMBER << 3 | VARINT ->
                    rules.maxAgeMicros = reader.in.readUInt64();
                case RulesFields.DEPENDENCIES_FIELD_NUMBER << 3 | VARINT -> dependencies.add(reader.name());
                case RulesFields.DEPENDENCY_CAPS_FIELD_NUMBER << 3 | GROUP -> cap(reader, caps);
                case RulesFields.BREAKER_FIELD_NUMBER << 3 | GROUP ->
                    rules.breaker = threshold(reader, RulesFields.BREAKER_FIELD_NUMBER);
                case RulesFields.QUARANTINE_FIELD_NUMBER << 3 | GROUP ->
                    rules.quarantine = threshold(reader, RulesFields.QUARANTINE_FIELD_NUMBER);
                case RulesFields.DURATION_MICROS_FIELD_NUMBER << 3 | VARINT ->
                    rules.durationMicros = reader.in.readUInt64();
                case RulesFields.CHECKPOINTS_FIELD_NUMBER << 3 | VARINT -> rules.checkpoints = reader.in.readBool();
                case RulesFields.RESTARTABLE_FIELD_NUMBER << 3 | VARINT -> rules.restartable = reader.in.readBool();
                case RulesFields.PROGRESS_WINDOW_MICROS_FIELD_NUMBER << 3 | VARINT ->
                    rules.progressWindowMicros = reader.in.readUInt64();
                case RulesFields.UNIQUE_FIELD_NUMBER << 3 | GROUP -> rules.unique = unique(reader);
                case RulesFields.PAYLOAD_SCHEMA_FIELD_NUMBER << 3 | BYTES -> rules.payloadSchema = reader.text();
                case RulesFields.MAX_IN_FLIGHT_FIELD_NUMBER << 3 | VARINT -> rules.maxInFlight = reader.in.readUInt32();
                case RulesFields.NEEDS_FIELD_NUMBER << 3 | GROUP ->
                    rules.needs = reader.needs(RulesFields.NEEDS_FIELD_NUMBER);
                case RulesFields.PREEMPTIBLE_FIELD_NUMBER << 3 | VARINT -> rules.preemptible = reader.in.readBool();
                default -> throw FieldReader.unknown("type's rules", tag);
            }
        }
        rules.retryDelaysMicros = List.copyOf(delays);
        rules.retryOn = List.copyOf(retryOn);
        rules.dependencies = List.copyOf(dependencies);
        rules.dependencyCaps = Collections.unmodifiableMap(caps);
        return rules.rules();
    }

    private static void cap(FieldReader reader, Map<String, Integer> caps) throws IOException {
        String dependency = "";
        int cap = 0;
        int field = RulesFields.DEPENDENCY_CAPS_FIELD_NUMBER;
        for (int tag = reader.next(field); tag != 0; tag = reader.next(field)) {
            switch (tag) {
                case CapFields.DEPENDENCY_FIELD_NUMBER << 3 | VARINT -> dependency = reader.name();
                case CapFields.CAP_FIELD_NUMBER << 3 | VARINT -> cap = reader.in.readUInt32();
                default -> throw FieldReader.unknown("dependency's cap", tag);
            }
        }
        caps.put(dependency, cap);
    }

    private static Threshold threshold(FieldReader reader, int field) throws IOException {
        int runs = 0;
        int percent = 0;
        long window = 0;
        for (int tag = reader.next(field); tag != 0; tag = reader.next(field)) {
            switch (tag) {
                case ThresholdFields.RUNS_FIELD_NUMBER << 3 | VARINT -> runs = reader.in.readUInt32();
                case ThresholdFields.FAILING_PERCENT_FIELD_NUMBER << 3 | VARINT -> percent = reader.in.readUInt32();
                case ThresholdFields.WINDOW_MICROS_FIELD_NUMBER << 3 | VARINT -> window = reader.in.readUInt64();
                default -> throw FieldReader.unknown("threshold", tag);
            }
        }
        return new Threshold(runs, percent, window);
    }

    private static UniqueRule unique(FieldReader reader) throws IOException {
        By by = By.ARGS;
        During during = During.QUEUED;
        long period = 0;
        Conflict conflict = Conflict.RETURN_EXISTING;
        int field = RulesFields.UNIQUE_FIELD_NUMBER;
        for (int tag = reader.next(field); tag != 0; tag = reader.next(field)) {
            switch (tag) {
                case UniqueFields.BY_FIELD_NUMBER << 3 | VARINT -> by = reader.of(BYS, "unique by");
                case UniqueFields.DURING_FIELD_NUMBER << 3 | VARINT -> during = reader.of(DURINGS, "unique during");
                case UniqueFields.PERIOD_MICROS_FIELD_NUMBER << 3 | VARINT -> period = reader.in.readUInt64();
                case UniqueFields.CONFLICT_FIELD_NUMBER << 3 | VARINT ->
                    conflict = reader.of(CONFLICTS, "unique conflict");
                default -> throw FieldReader.unknown("unique rule", tag);
            }
        }
        return new UniqueRule(by, during, period, conflict);
    }
}
