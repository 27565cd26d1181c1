package dev.fairlane.journal;

import static dev.fairlane.journal.FieldReader.BYTES;
import static dev.fairlane.journal.FieldReader.GROUP;
import static dev.fairlane.journal.FieldReader.VARINT;

import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.TenantRules;
import dev.fairlane.core.model.Tier;
import dev.fairlane.core.model.TypeRules;
import dev.fairlane.journal.stored.AmountFields;
import dev.fairlane.journal.stored.CapFields;
import dev.fairlane.journal.stored.Entry;
import dev.fairlane.journal.stored.GateFields;
import dev.fairlane.journal.stored.KeyLimitFields;
import dev.fairlane.journal.stored.LaneFields;
import dev.fairlane.journal.stored.QuotaFields;
import dev.fairlane.journal.stored.RulesFields;
import dev.fairlane.journal.stored.TenantFields;
import dev.fairlane.journal.stored.TenantRulesFields;
import dev.fairlane.journal.stored.ThresholdFields;
import dev.fairlane.journal.stored.TypeFields;
import dev.fairlane.journal.stored.UniqueFields;
import java.io.IOException;
import java.util.Map;

/** Tenants, types and gates as fields and back: what people set, and seldom. */
final class DirectoryCodec {
    private DirectoryCodec() {}

    static void write(FieldWriter writer, Gate gate) throws IOException {
        writer.open(Entry.GATE_FIELD_NUMBER);
        writer.number(GateFields.KIND_FIELD_NUMBER, gate.kind().ordinal());
        writer.number(GateFields.TENANT_FIELD_NUMBER, gate.tenant().number());
        writer.text(GateFields.NAME_FIELD_NUMBER, gate.name());
        writer.flag(GateFields.CLOSED_FIELD_NUMBER, gate.closed());
        writer.text(GateFields.BY_FIELD_NUMBER, gate.by());
        writer.text(GateFields.WHY_FIELD_NUMBER, gate.why());
        writer.moment(GateFields.CHANGED_AT_FIELD_NUMBER, gate.changedAt());
        writer.shut(Entry.GATE_FIELD_NUMBER);
    }

    static void write(FieldWriter writer, Tenant tenant) throws IOException {
        writer.open(Entry.TENANT_FIELD_NUMBER);
        writer.number(TenantFields.ID_FIELD_NUMBER, tenant.id().number());
        writer.text(TenantFields.NAME_FIELD_NUMBER, tenant.name());
        writer.number(TenantFields.WEIGHT_FIELD_NUMBER, tenant.weight());
        writer.moment(TenantFields.CHANGED_AT_FIELD_NUMBER, tenant.changedAt());
        if (!tenant.rules().equals(TenantRules.NONE)) {
            write(writer, TenantFields.RULES_FIELD_NUMBER, tenant.rules());
        }
        writer.shut(Entry.TENANT_FIELD_NUMBER);
    }

    static void write(FieldWriter writer, int field, TenantRules rules) throws IOException {
        writer.open(field);
        if (rules.tier() != Tier.STANDARD) {
            writer.number(TenantRulesFields.TIER_FIELD_NUMBER, rules.tier().ordinal() + 1);
        }
        writer.number(TenantRulesFields.SUBMIT_RATE_FIELD_NUMBER, rules.submitRate());
        writer.number(TenantRulesFields.MAX_OPEN_JOBS_FIELD_NUMBER, rules.maxOpenJobs());
        amounts(writer, TenantRulesFields.IN_FLIGHT_FIELD_NUMBER, rules.inFlight());
        amounts(writer, TenantRulesFields.RESERVED_FIELD_NUMBER, rules.reserved());
        for (String lane : FieldWriter.sorted(rules.lanes())) {
            TenantRules.LaneRules of = rules.lanes().getOrDefault(lane, TenantRules.LaneRules.NONE);
            writer.open(TenantRulesFields.LANES_FIELD_NUMBER);
            writer.text(LaneFields.NAME_FIELD_NUMBER, lane);
            writer.number(LaneFields.WEIGHT_FIELD_NUMBER, of.weight());
            for (long aging : of.agingMicros()) {
                writer.listed(LaneFields.AGING_MICROS_FIELD_NUMBER, aging);
            }
            writer.shut(TenantRulesFields.LANES_FIELD_NUMBER);
        }
        for (TenantRules.KeyLimit limit : rules.keyLimits()) {
            writer.open(TenantRulesFields.KEY_LIMITS_FIELD_NUMBER);
            writer.number(KeyLimitFields.KIND_FIELD_NUMBER, limit.kind().ordinal());
            writer.text(KeyLimitFields.KEY_FIELD_NUMBER, limit.key());
            writer.number(KeyLimitFields.LIMIT_FIELD_NUMBER, limit.limit());
            writer.longNumber(KeyLimitFields.PER_MICROS_FIELD_NUMBER, limit.perMicros());
            writer.shut(TenantRulesFields.KEY_LIMITS_FIELD_NUMBER);
        }
        for (TenantRules.Quota quota : rules.quotas()) {
            writer.open(TenantRulesFields.QUOTAS_FIELD_NUMBER);
            writer.number(QuotaFields.KIND_FIELD_NUMBER, quota.kind().ordinal());
            writer.longNumber(QuotaFields.SOFT_FIELD_NUMBER, quota.soft());
            writer.longNumber(QuotaFields.HARD_FIELD_NUMBER, quota.hard());
            writer.shut(TenantRulesFields.QUOTAS_FIELD_NUMBER);
        }
        writer.flag(TenantRulesFields.CLOSED_TYPES_FIELD_NUMBER, rules.closedTypes());
        writer.shut(field);
    }

    private static void amounts(FieldWriter writer, int field, Map<String, Integer> amounts) throws IOException {
        for (String pool : FieldWriter.sorted(amounts)) {
            writer.open(field);
            writer.name(AmountFields.POOL_FIELD_NUMBER, pool);
            writer.number(AmountFields.AMOUNT_FIELD_NUMBER, amounts.getOrDefault(pool, 0));
            writer.shut(field);
        }
    }

    static void write(FieldWriter writer, JobType type) throws IOException {
        writer.open(Entry.TYPE_FIELD_NUMBER);
        writer.number(TypeFields.TENANT_FIELD_NUMBER, type.tenant().number());
        writer.name(TypeFields.NAME_FIELD_NUMBER, type.name());
        writer.name(TypeFields.POOL_FIELD_NUMBER, type.pool());
        writer.number(TypeFields.MAX_ATTEMPTS_FIELD_NUMBER, type.maxAttempts());
        writer.longNumber(TypeFields.TIME_LIMIT_MICROS_FIELD_NUMBER, type.timeLimitMicros());
        writer.moment(TypeFields.CHANGED_AT_FIELD_NUMBER, type.changedAt());
        if (!type.rules().equals(TypeRules.NONE)) {
            write(writer, TypeFields.RULES_FIELD_NUMBER, type.rules());
        }
        writer.time(TypeFields.QUARANTINED_AT_FIELD_NUMBER, type.quarantinedAt());
        JobType.Moved moved = type.moved();
        if (moved != null) {
            writer.name(TypeFields.MOVED_POOL_FIELD_NUMBER, moved.pool());
            writer.time(TypeFields.MOVED_UNTIL_FIELD_NUMBER, moved.until());
        }
        writer.shut(Entry.TYPE_FIELD_NUMBER);
    }

    static void write(FieldWriter writer, int field, TypeRules rules) throws IOException {
        writer.open(field);
        for (long delay : rules.retryDelaysMicros()) {
            writer.listed(RulesFields.RETRY_DELAYS_MICROS_FIELD_NUMBER, delay);
        }
        if (rules.retryJitter() >= 0) {
            writer.fraction(RulesFields.RETRY_JITTER_FIELD_NUMBER, rules.retryJitter());
        }
        writer.number(RulesFields.TIMEOUT_RETRIES_FIELD_NUMBER, rules.timeoutRetries() + 1);
        writer.number(RulesFields.RESOURCE_RETRIES_FIELD_NUMBER, rules.resourceRetries() + 1);
        writer.number(RulesFields.CRASH_LIMIT_FIELD_NUMBER, rules.crashLimit() + 1);
        for (String error : rules.retryOn()) {
            writer.name(RulesFields.RETRY_ON_FIELD_NUMBER, error);
        }
        writer.longNumber(RulesFields.MAX_AGE_MICROS_FIELD_NUMBER, rules.maxAgeMicros());
        for (String dependency : rules.dependencies()) {
            writer.name(RulesFields.DEPENDENCIES_FIELD_NUMBER, dependency);
        }
        for (String dependency : FieldWriter.sorted(rules.dependencyCaps())) {
            writer.open(RulesFields.DEPENDENCY_CAPS_FIELD_NUMBER);
            writer.name(CapFields.DEPENDENCY_FIELD_NUMBER, dependency);
            writer.number(CapFields.CAP_FIELD_NUMBER, rules.dependencyCaps().getOrDefault(dependency, 0));
            writer.shut(RulesFields.DEPENDENCY_CAPS_FIELD_NUMBER);
        }
        threshold(writer, RulesFields.BREAKER_FIELD_NUMBER, rules.breaker());
        threshold(writer, RulesFields.QUARANTINE_FIELD_NUMBER, rules.quarantine());
        writer.longNumber(RulesFields.DURATION_MICROS_FIELD_NUMBER, rules.durationMicros());
        writer.flag(RulesFields.CHECKPOINTS_FIELD_NUMBER, rules.checkpoints());
        writer.flag(RulesFields.RESTARTABLE_FIELD_NUMBER, rules.restartable());
        writer.longNumber(RulesFields.PROGRESS_WINDOW_MICROS_FIELD_NUMBER, rules.progressWindowMicros());
        TypeRules.UniqueRule unique = rules.unique();
        if (unique != null) {
            writer.open(RulesFields.UNIQUE_FIELD_NUMBER);
            writer.number(UniqueFields.BY_FIELD_NUMBER, unique.by().ordinal());
            writer.number(UniqueFields.DURING_FIELD_NUMBER, unique.during().ordinal());
            writer.longNumber(UniqueFields.PERIOD_MICROS_FIELD_NUMBER, unique.periodMicros());
            writer.number(UniqueFields.CONFLICT_FIELD_NUMBER, unique.conflict().ordinal());
            writer.shut(RulesFields.UNIQUE_FIELD_NUMBER);
        }
        writer.text(RulesFields.PAYLOAD_SCHEMA_FIELD_NUMBER, rules.payloadSchema());
        writer.number(RulesFields.MAX_IN_FLIGHT_FIELD_NUMBER, rules.maxInFlight());
        writer.needs(RulesFields.NEEDS_FIELD_NUMBER, rules.needs());
        writer.flag(RulesFields.PREEMPTIBLE_FIELD_NUMBER, rules.preemptible());
        writer.shut(field);
    }

    private static void threshold(FieldWriter writer, int field, TypeRules.Threshold threshold) throws IOException {
        if (!threshold.equals(TypeRules.Threshold.AS_NODE)) {
            writer.open(field);
            writer.number(ThresholdFields.RUNS_FIELD_NUMBER, threshold.runs());
            writer.number(ThresholdFields.FAILING_PERCENT_FIELD_NUMBER, threshold.failingPercent());
            writer.longNumber(ThresholdFields.WINDOW_MICROS_FIELD_NUMBER, threshold.windowMicros());
            writer.shut(field);
        }
    }

    // ---- back

    static Gate gate(FieldReader reader, int field) throws IOException {
        int kind = 0;
        int tenant = 0;
        String name = "";
        boolean closed = false;
        String by = "";
        String why = "";
        long changedAt = reader.at();
        for (int tag = reader.next(field); tag != 0; tag = reader.next(field)) {
            switch (tag) {
                case GateFields.KIND_FIELD_NUMBER << 3 | VARINT -> kind = reader.in.readUInt32();
                case GateFields.TENANT_FIELD_NUMBER << 3 | VARINT -> tenant = reader.in.readUInt32();
                case GateFields.NAME_FIELD_NUMBER << 3 | BYTES -> name = reader.text();
                case GateFields.CLOSED_FIELD_NUMBER << 3 | VARINT -> closed = reader.in.readBool();
                case GateFields.BY_FIELD_NUMBER << 3 | BYTES -> by = reader.text();
                case GateFields.WHY_FIELD_NUMBER << 3 | BYTES -> why = reader.text();
                case GateFields.CHANGED_AT_FIELD_NUMBER << 3 | VARINT -> changedAt = reader.time();
                default -> throw FieldReader.unknown("gate", tag);
            }
        }
        if (kind < 0 || kind >= Gate.Kind.values().length) {
            throw FieldReader.malformed("a gate of kind " + kind);
        }
        return new Gate(Gate.Kind.of(kind), new TenantId(tenant), name, closed, by, why, changedAt);
    }

    static Tenant tenant(FieldReader reader, int field) throws IOException {
        int id = 0;
        String name = "";
        int weight = 0;
        long changedAt = reader.at();
        TenantRules rules = TenantRules.NONE;
        for (int tag = reader.next(field); tag != 0; tag = reader.next(field)) {
            switch (tag) {
                case TenantFields.ID_FIELD_NUMBER << 3 | VARINT -> id = reader.in.readUInt32();
                case TenantFields.NAME_FIELD_NUMBER << 3 | BYTES -> name = reader.text();
                case TenantFields.WEIGHT_FIELD_NUMBER << 3 | VARINT -> weight = reader.in.readUInt32();
                case TenantFields.CHANGED_AT_FIELD_NUMBER << 3 | VARINT -> changedAt = reader.time();
                case TenantFields.RULES_FIELD_NUMBER << 3 | GROUP ->
                    rules = TenantRulesReader.read(reader, TenantFields.RULES_FIELD_NUMBER);
                default -> throw FieldReader.unknown("tenant", tag);
            }
        }
        return new Tenant(new TenantId(id), name, weight, changedAt, rules);
    }

    static JobType type(FieldReader reader, int field) throws IOException {
        int tenant = 0;
        String name = "";
        String pool = "";
        int maxAttempts = 0;
        long timeLimit = 0;
        long changedAt = reader.at();
        TypeRules rules = TypeRules.NONE;
        long quarantinedAt = 0;
        String movedPool = "";
        long movedUntil = 0;
        for (int tag = reader.next(field); tag != 0; tag = reader.next(field)) {
            switch (tag) {
                case TypeFields.TENANT_FIELD_NUMBER << 3 | VARINT -> tenant = reader.in.readUInt32();
                case TypeFields.NAME_FIELD_NUMBER << 3 | VARINT -> name = reader.name();
                case TypeFields.POOL_FIELD_NUMBER << 3 | VARINT -> pool = reader.name();
                case TypeFields.MAX_ATTEMPTS_FIELD_NUMBER << 3 | VARINT -> maxAttempts = reader.in.readUInt32();
                case TypeFields.TIME_LIMIT_MICROS_FIELD_NUMBER << 3 | VARINT -> timeLimit = reader.in.readUInt64();
                case TypeFields.CHANGED_AT_FIELD_NUMBER << 3 | VARINT -> changedAt = reader.time();
                case TypeFields.RULES_FIELD_NUMBER << 3 | GROUP ->
                    rules = RulesReader.read(reader, TypeFields.RULES_FIELD_NUMBER);
                case TypeFields.QUARANTINED_AT_FIELD_NUMBER << 3 | VARINT -> quarantinedAt = reader.time();
                case TypeFields.MOVED_POOL_FIELD_NUMBER << 3 | VARINT -> movedPool = reader.name();
                case TypeFields.MOVED_UNTIL_FIELD_NUMBER << 3 | VARINT -> movedUntil = reader.time();
                default -> throw FieldReader.unknown("type", tag);
            }
        }
        JobType.Moved moved = movedPool.isEmpty() ? null : new JobType.Moved(movedPool, movedUntil);
        return new JobType(
                new TenantId(tenant), name, pool, maxAttempts, timeLimit, changedAt, rules, quarantinedAt, moved);
    }
}
