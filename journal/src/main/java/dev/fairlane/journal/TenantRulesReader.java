package dev.fairlane.journal;

import static dev.fairlane.journal.FieldReader.BYTES;
import static dev.fairlane.journal.FieldReader.GROUP;
import static dev.fairlane.journal.FieldReader.VARINT;

import dev.fairlane.core.model.TenantRules;
import dev.fairlane.core.model.TenantRules.KeyLimit;
import dev.fairlane.core.model.TenantRules.LaneRules;
import dev.fairlane.core.model.TenantRules.Quota;
import dev.fairlane.core.model.Tier;
import dev.fairlane.journal.stored.AmountFields;
import dev.fairlane.journal.stored.KeyLimitFields;
import dev.fairlane.journal.stored.LaneFields;
import dev.fairlane.journal.stored.QuotaFields;
import dev.fairlane.journal.stored.TenantRulesFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the rules of a tenant. */
final class TenantRulesReader {
    private static final Tier[] TIERS = Tier.values();
    private static final KeyLimit.Kind[] LIMITS = KeyLimit.Kind.values();
    private static final Quota.Kind[] QUOTAS = Quota.Kind.values();

    private TenantRulesReader() {}

    static TenantRules read(FieldReader reader, int field) throws IOException {
        Tier tier = Tier.STANDARD;
        int submitRate = 0;
        int maxOpenJobs = 0;
        Map<String, Integer> inFlight = new LinkedHashMap<>();
        Map<String, Integer> reserved = new LinkedHashMap<>();
        Map<String, LaneRules> lanes = new LinkedHashMap<>();
        List<KeyLimit> limits = new ArrayList<>();
        List<Quota> quotas = new ArrayList<>();
        boolean closedTypes = false;
        for (int tag = reader.next(field); tag != 0; tag = reader.next(field)) {
            switch (tag) {
                case TenantRulesFields.TIER_FIELD_NUMBER << 3 | VARINT -> tier = tier(reader);
                case TenantRulesFields.SUBMIT_RATE_FIELD_NUMBER << 3 | VARINT -> submitRate = reader.in.readUInt32();
                case TenantRulesFields.MAX_OPEN_JOBS_FIELD_NUMBER << 3 | VARINT -> maxOpenJobs = reader.in.readUInt32();
                case TenantRulesFields.IN_FLIGHT_FIELD_NUMBER << 3 | GROUP ->
                    amount(reader, TenantRulesFields.IN_FLIGHT_FIELD_NUMBER, inFlight);
                case TenantRulesFields.RESERVED_FIELD_NUMBER << 3 | GROUP ->
                    amount(reader, TenantRulesFields.RESERVED_FIELD_NUMBER, reserved);
                case TenantRulesFields.LANES_FIELD_NUMBER << 3 | GROUP -> lane(reader, lanes);
                case TenantRulesFields.KEY_LIMITS_FIELD_NUMBER << 3 | GROUP -> limits.add(limit(reader));
                case TenantRulesFields.QUOTAS_FIELD_NUMBER << 3 | GROUP -> quotas.add(quota(reader));
                case TenantRulesFields.CLOSED_TYPES_FIELD_NUMBER << 3 | VARINT -> closedTypes = reader.in.readBool();
                default -> throw FieldReader.unknown("tenant's rules", tag);
            }
        }
        return new TenantRules(
                tier,
                submitRate,
                maxOpenJobs,
                Collections.unmodifiableMap(inFlight),
                Collections.unmodifiableMap(reserved),
                Collections.unmodifiableMap(lanes),
                List.copyOf(limits),
                List.copyOf(quotas),
                closedTypes);
    }

    private static Tier tier(FieldReader reader) throws IOException {
        int place = reader.in.readUInt32() - 1;
        if (place < 0 || place >= TIERS.length) {
            throw FieldReader.malformed("tier " + place);
        }
        return TIERS[place];
    }

    private static void amount(FieldReader reader, int field, Map<String, Integer> into) throws IOException {
        String pool = "";
        int amount = 0;
        for (int tag = reader.next(field); tag != 0; tag = reader.next(field)) {
            switch (tag) {
                case AmountFields.POOL_FIELD_NUMBER << 3 | VARINT -> pool = reader.name();
                case AmountFields.AMOUNT_FIELD_NUMBER << 3 | VARINT -> amount = reader.in.readUInt32();
                default -> throw FieldReader.unknown("pool's amount", tag);
            }
        }
        into.put(pool, amount);
    }

    private static void lane(FieldReader reader, Map<String, LaneRules> into) throws IOException {
        String name = "";
        int weight = 0;
        List<Long> aging = new ArrayList<>();
        int field = TenantRulesFields.LANES_FIELD_NUMBER;
        for (int tag = reader.next(field); tag != 0; tag = reader.next(field)) {
            switch (tag) {
                case LaneFields.NAME_FIELD_NUMBER << 3 | BYTES -> name = reader.text();
                case LaneFields.WEIGHT_FIELD_NUMBER << 3 | VARINT -> weight = reader.in.readUInt32();
                case LaneFields.AGING_MICROS_FIELD_NUMBER << 3 | VARINT -> aging.add(reader.in.readUInt64());
                default -> throw FieldReader.unknown("lane's rules", tag);
            }
        }
        into.put(name, new LaneRules(weight, List.copyOf(aging)));
    }

    private static KeyLimit limit(FieldReader reader) throws IOException {
        KeyLimit.Kind kind = KeyLimit.Kind.CONCURRENCY;
        String key = "";
        int limit = 0;
        long per = 0;
        int field = TenantRulesFields.KEY_LIMITS_FIELD_NUMBER;
        for (int tag = reader.next(field); tag != 0; tag = reader.next(field)) {
            switch (tag) {
                case KeyLimitFields.KIND_FIELD_NUMBER << 3 | VARINT -> kind = reader.of(LIMITS, "kind of limit");
                case KeyLimitFields.KEY_FIELD_NUMBER << 3 | BYTES -> key = reader.text();
                case KeyLimitFields.LIMIT_FIELD_NUMBER << 3 | VARINT -> limit = reader.in.readUInt32();
                case KeyLimitFields.PER_MICROS_FIELD_NUMBER << 3 | VARINT -> per = reader.in.readUInt64();
                default -> throw FieldReader.unknown("key's limit", tag);
            }
        }
        return new KeyLimit(kind, key, limit, per);
    }

    private static Quota quota(FieldReader reader) throws IOException {
        Quota.Kind kind = Quota.Kind.JOBS;
        long soft = 0;
        long hard = 0;
        int field = TenantRulesFields.QUOTAS_FIELD_NUMBER;
        for (int tag = reader.next(field); tag != 0; tag = reader.next(field)) {
            switch (tag) {
                case QuotaFields.KIND_FIELD_NUMBER << 3 | VARINT -> kind = reader.of(QUOTAS, "kind of quota");
                case QuotaFields.SOFT_FIELD_NUMBER << 3 | VARINT -> soft = reader.in.readUInt64();
                case QuotaFields.HARD_FIELD_NUMBER << 3 | VARINT -> hard = reader.in.readUInt64();
                default -> throw FieldReader.unknown("quota", tag);
            }
        }
        return new Quota(kind, soft, hard);
    }
}
