package dev.fairlane.journal;

import dev.fairlane.core.model.Attempt;
import dev.fairlane.core.model.AuditDeed;
import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.GroupProgress;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobMarks;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Resources;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.TenantRules;
import dev.fairlane.core.model.Tier;
import dev.fairlane.core.model.TypeRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;

/** Facts by seed: usual, empty and extreme values in every field. */
public final class GeneratedFacts {
    private static final String[] TEXTS = {
        "",
        "send_email",
        "short",
        "worker-1",
        "ein Fehler: größer als „erwartet“",
        "任务失败",
        "\uD83D\uDE80\u0000\uFFFF",
        "x".repeat(300)
    };
    private static final long[] LONGS = {0, 1, -1, 127, 128, 30_000_000, Long.MAX_VALUE, Long.MIN_VALUE};
    private static final int[] INTS = {0, 1, 5, 127, 128, 100_000, Integer.MAX_VALUE, Integer.MIN_VALUE, -1};

    private final RandomGenerator random;
    public final long at;

    public GeneratedFacts(long seed) {
        random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        at = random.nextInt(10) == 0 ? number() : 1_790_000_000_000_000L + random.nextInt(1_000_000_000);
    }

    public List<Fact> facts(int count) {
        List<Fact> facts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            facts.add(fact());
        }
        return facts;
    }

    public Fact fact() {
        return switch (random.nextInt(17)) {
            case 0, 1 -> new Fact.JobAdded(spec(), status());
            case 2, 3 -> new Fact.JobChanged(id(), status());
            case 4, 5 -> new Fact.JobEnded(id(), status(), maybe(payload()), maybe(failure()), null);
            case 6 -> new Fact.JobRevised(spec(), status());
            case 7 ->
                new Fact.GateSet(new Gate(
                        Gate.Kind.of(random.nextInt(5)),
                        tenant(),
                        text(),
                        random.nextBoolean(),
                        text(),
                        text(),
                        time()));
            case 10 -> new Fact.GroupAdded(group());
            case 11 -> new Fact.GroupChanged(id(), progress());
            case 13 -> new Fact.ScheduleSet(new GeneratedSchedules(this, random).schedule());
            case 14 ->
                new Fact.ScheduleMoved(
                        new ScheduleName(tenant(), text()), new GeneratedSchedules(this, random).progress());
            case 15 -> new Fact.ScheduleGone(new ScheduleName(tenant(), text()), time());
            case 8 ->
                new Fact.TenantSet(new Tenant(
                        tenant(), text(), count(), time(), random.nextBoolean() ? TenantRules.NONE : tenantRules()));
            case 9 -> new Fact.JobReplayed(spec(), status());
            case 12 -> new Fact.Audited(auditEntry());
            default ->
                new Fact.TypeSet(new JobType(
                        tenant(),
                        text(),
                        text(),
                        count(),
                        number(),
                        time(),
                        random.nextBoolean() ? TypeRules.NONE : rules(),
                        time(),
                        maybe(new JobType.Moved("m" + text(), time()))));
        };
    }

    public AuditEntry auditEntry() {
        return new AuditEntry(
                random.nextBoolean() ? AuditEntry.SYSTEM : tenant(),
                number(),
                time(),
                new Author(text(), text(), text(), text(), text(), text()),
                new AuditDeed(text(), text(), text(), text(), text(), text()),
                text(),
                text());
    }

    public JobId id() {
        return random.nextInt(10) == 0
                ? new JobId(random.nextLong(), random.nextLong())
                : JobId.of(
                        1_790_000_000_000L + random.nextInt(100),
                        random.nextInt(64),
                        random.nextInt(64),
                        random.nextInt(3),
                        random.nextInt(1000));
    }

    public JobGroup group() {
        JobSpec spec = spec();
        return new JobGroup(
                spec.id(),
                spec.tenant(),
                text(),
                JobGroup.CallbackOn.of(random.nextInt(2)),
                maybe(spec),
                time(),
                progress());
    }

    public GroupProgress progress() {
        return new GroupProgress(
                GroupProgress.State.of(random.nextInt(3)),
                count(),
                count(),
                count(),
                count(),
                count(),
                maybe(id()),
                time(),
                time());
    }

    public JobSpec spec() {
        return new JobSpec(
                id(), tenant(), text(), text(), count(), payload(), count(), time(), time(), time(), count(), number(),
                text(), number(), labels(), labels(), terms());
    }

    public JobStatus status() {
        List<Attempt> attempts = new ArrayList<>();
        for (int i = random.nextInt(6); i < 3; i++) {
            attempts.add(new Attempt(count(), text(), time(), time(), failureClass(), text(), text()));
        }
        return new JobStatus(
                JobState.values()[random.nextInt(JobState.values().length)],
                count(),
                count(),
                count(),
                number(),
                text(),
                time(),
                time(),
                time(),
                time(),
                random.nextBoolean(),
                time(),
                attempts,
                marks());
    }

    private JobTerms terms() {
        return random.nextInt(3) == 0
                ? JobTerms.NONE
                : new JobTerms(
                        "l" + text(),
                        number(),
                        text(),
                        text(),
                        text(),
                        random.nextBoolean(),
                        count(),
                        needs(),
                        random.nextBoolean());
    }

    private JobMarks marks() {
        return random.nextInt(3) == 0
                ? JobMarks.NONE
                : new JobMarks(
                        random.nextBoolean(),
                        text(),
                        maybe(new JobMarks.Checkpoint(text(), number(), number(), time())),
                        maybe(new JobMarks.Replay(time(), text(), text(), count())));
    }

    public TypeRules rules() {
        return new TypeRules(
                List.of(number(), number()),
                random.nextInt(3) == 0 ? -1 : random.nextDouble(),
                count() - 1,
                count() - 1,
                count() - 1,
                List.of("e" + text()),
                number(),
                List.of("d" + text(), "d"),
                Map.of("c" + text(), count()),
                new TypeRules.Threshold(count(), count(), number()),
                random.nextBoolean() ? TypeRules.Threshold.AS_NODE : new TypeRules.Threshold(1, count(), number()),
                number(),
                random.nextBoolean(),
                random.nextBoolean(),
                number(),
                maybe(new TypeRules.UniqueRule(
                        TypeRules.By.values()[random.nextInt(2)],
                        TypeRules.During.values()[random.nextInt(3)],
                        number(),
                        TypeRules.Conflict.values()[random.nextInt(4)])),
                text(),
                count(),
                needs(),
                random.nextBoolean());
    }

    private JobNeeds needs() {
        return random.nextBoolean()
                ? JobNeeds.NONE
                : new JobNeeds(
                        text(),
                        text(),
                        text(),
                        1 + count(),
                        new Resources(count(), count(), count()),
                        List.of("t" + text(), "t"));
    }

    public TenantRules tenantRules() {
        return new TenantRules(
                Tier.values()[random.nextInt(4)],
                count(),
                count(),
                Map.of("p" + text(), count()),
                Map.of("p" + text(), count(), "q", count()),
                Map.of("l" + text(), new TenantRules.LaneRules(count(), List.of(number(), number()))),
                List.of(new TenantRules.KeyLimit(
                        TenantRules.KeyLimit.Kind.values()[random.nextInt(2)], text(), count(), number())),
                List.of(new TenantRules.Quota(TenantRules.Quota.Kind.values()[random.nextInt(2)], number(), number())),
                random.nextBoolean());
    }

    public Failure failure() {
        return new Failure(failureClass(), text(), text(), number(), text(), text());
    }

    public Payload payload() {
        byte[] bytes = new byte[random.nextInt(4) == 0 ? 0 : random.nextInt(20_000)];
        random.nextBytes(bytes);
        return new Payload(bytes, random.nextBoolean() ? Payload.JSON : text());
    }

    public <T> @Nullable T maybe(T value) {
        return random.nextBoolean() ? value : null;
    }

    private TenantId tenant() {
        return new TenantId(count());
    }

    private FailureClass failureClass() {
        return FailureClass.values()[random.nextInt(FailureClass.values().length)];
    }

    private Map<String, String> labels() {
        Map<String, String> labels = new LinkedHashMap<>();
        for (int i = random.nextInt(8); i < 4; i++) {
            labels.put(text(), text());
        }
        return labels;
    }

    String text() {
        return random.nextInt(4) == 0
                ? Long.toString(random.nextLong(), Character.MAX_RADIX)
                : TEXTS[random.nextInt(TEXTS.length)];
    }

    private int count() {
        return random.nextInt(3) == 0 ? INTS[random.nextInt(INTS.length)] : random.nextInt(10);
    }

    private long number() {
        return random.nextInt(2) == 0 ? LONGS[random.nextInt(LONGS.length)] : random.nextLong();
    }

    private long time() {
        return switch (random.nextInt(5)) {
            case 0 -> 0;
            case 1 -> at;
            case 2 -> number();
            default -> at - random.nextInt(10_000_000);
        };
    }
}
