package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.MILLI;
import static dev.fairlane.core.shard.Bed.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Resources;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.TenantRules;
import dev.fairlane.core.model.TenantRules.LaneRules;
import dev.fairlane.core.model.Tier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is below a tenant (semantics §6): its lanes and the parts it names, which share what it has and gain it nothing. */
class PartsProperty {
    private record Stream(TenantId tenant, String name, NewJob job, long lengthMicros, int number) {}

    private record Running(long endsAt, int order, Stream stream, Picked picked) {}

    private final Bed bed = new Bed();
    private final List<Stream> streams = new ArrayList<>();
    private final Map<Stream, Integer> waiting = new HashMap<>();
    private final Map<JobId, Stream> of = new HashMap<>();
    private final Map<JobId, Long> since = new HashMap<>();
    private final Map<String, Long> longestWait = new HashMap<>();
    private final PriorityQueue<Running> running =
            new PriorityQueue<>((a, b) -> a.endsAt != b.endsAt ? Long.compare(a.endsAt, b.endsAt) : a.order - b.order);
    private int order;

    private static JobNeeds part(String key) {
        return key.isEmpty() ? JobNeeds.NONE : new JobNeeds(key, "", "", 1, Resources.NONE, List.of());
    }

    private void stream(TenantId tenant, String name, String lane, String part, long lengthMicros) {
        streams.add(new Stream(tenant, name, Bed.inLane("work", lane, part(part)), lengthMicros, streams.size()));
    }

    /** Keeps every stream's backlog topped up and returns each one's part of the slot-time. */
    private Map<String, Double> run(long micros) {
        long until = bed.now + micros;
        Map<String, Double> used = new HashMap<>();
        while (true) {
            for (Stream stream : streams) {
                for (int have = waiting.getOrDefault(stream, 0); have < 10; have++) {
                    JobId id = bed.submit(stream.tenant, stream.job);
                    of.put(id, stream);
                    since.put(id, bed.now);
                    waiting.merge(stream, 1, Integer::sum);
                }
            }
            for (Picked picked = bed.pick(); picked != null; picked = bed.pick()) {
                Stream stream = of.remove(picked.lease().id());
                waiting.merge(stream, -1, Integer::sum);
                longestWait.merge(
                        stream.name, bed.now - since.remove(picked.lease().id()), Math::max);
                running.add(new Running(bed.now + stream.lengthMicros, order++, stream, picked));
            }
            bed.engine.renewAll(bed.now);
            if (running.peek().endsAt > until) {
                break;
            }
            bed.now = running.peek().endsAt;
            while (!running.isEmpty() && running.peek().endsAt <= bed.now) {
                Running ended = running.poll();
                used.merge(ended.stream.name, (double) ended.stream.lengthMicros, Double::sum);
                bed.complete(ended.picked);
            }
            bed.facts.clear();
            bed.ended.clear();
        }
        bed.now = until;
        double total = used.values().stream().mapToDouble(d -> d).sum();
        used.replaceAll((name, time) -> time / total);
        return used;
    }

    @Test
    void splittingIntoPartsGainsATenantNothing() {
        bed.worker(1, 40, "work");
        TenantId split = bed.putTenant("split", 10);
        TenantId whole = bed.putTenant("whole", 10);
        for (int i = 0; i < 20; i++) {
            stream(split, "split", "default", "user-" + i, 50 * MILLI);
        }
        for (int i = 0; i < 10; i++) {
            stream(whole, "whole", "default", "", 50 * MILLI);
        }
        run(MINUTE);
        Map<String, Double> shares = run(MINUTE);
        assertThat(shares.get("split")).isCloseTo(0.5, within(0.01));
        assertThat(shares.get("whole")).isCloseTo(0.5, within(0.01));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void howeverATenantSplitsItGainsNothing(long seed) {
        Random random = new Random(seed);
        bed.worker(1, 5 + random.nextInt(25), "work");
        int weight = 5 + random.nextInt(30);
        TenantId split = bed.putTenant("split", weight);
        int other = 5 + random.nextInt(30);
        TenantId whole = bed.putTenant("whole", other);
        int parts = 4 + random.nextInt(16);
        for (int i = 0; i < parts; i++) {
            String lane = random.nextBoolean() ? "default" : "lane-" + random.nextInt(5);
            String part = random.nextInt(3) == 0 ? "" : "user-" + random.nextInt(parts);
            stream(split, "split", lane, part, (30 + random.nextInt(200)) * MILLI);
        }
        for (int i = 0; i < 4; i++) {
            stream(whole, "whole", "default", "", (30 + random.nextInt(200)) * MILLI);
        }
        run(20 * Bed.SECOND);
        Map<String, Double> shares = run(MINUTE);
        assertThat(shares.get("split")).isCloseTo((double) weight / (weight + other), within(0.02));
    }

    @Test
    void partsShareEvenlyWhateverTheLengthOfTheirJobs() {
        bed.worker(1, 30, "work");
        TenantId tenant = bed.putTenant("t", 10);
        stream(tenant, "quick", "default", "a", 20 * MILLI);
        stream(tenant, "quick", "default", "a", 20 * MILLI);
        stream(tenant, "quick", "default", "a", 20 * MILLI);
        stream(tenant, "slow", "default", "b", 2_000 * MILLI);
        stream(tenant, "slow", "default", "b", 2_000 * MILLI);
        stream(tenant, "mixed", "batch", "c", 300 * MILLI);
        stream(tenant, "mixed", "default", "c", 100 * MILLI);
        run(MINUTE);
        Map<String, Double> shares = run(2 * MINUTE);
        assertThat(shares.get("quick")).isCloseTo(1 / 3.0, within(0.02));
        assertThat(shares.get("slow")).isCloseTo(1 / 3.0, within(0.02));
        assertThat(shares.get("mixed")).isCloseTo(1 / 3.0, within(0.02));
    }

    @Test
    void lanesShareByWeightAndUrgencyOfOneGainsNothingAgainstAnother() {
        bed.worker(1, 20, "work");
        Map<String, LaneRules> lanes = Map.of("heavy", new LaneRules(30, List.of()));
        TenantId tenant = bed.putTenant(
                "t", 10, new TenantRules(Tier.STANDARD, 0, 0, Map.of(), Map.of(), lanes, List.of(), List.of(), false));
        for (int i = 0; i < 3; i++) {
            stream(tenant, "heavy", "heavy", "", 50 * MILLI);
        }
        streams.add(new Stream(tenant, "urgent", Bed.priority("work", 0), 50 * MILLI, 90));
        streams.add(new Stream(tenant, "urgent", Bed.priority("work", 0), 40 * MILLI, 91));
        run(MINUTE);
        Map<String, Double> shares = run(MINUTE);
        assertThat(shares.get("heavy")).isCloseTo(0.75, within(0.01));
        assertThat(shares.get("urgent")).isCloseTo(0.25, within(0.01));
    }

    @Test
    void noLaneStarvesWhateverItsWeight() {
        bed.worker(1, 2, "work");
        for (int t = 0; t < 5; t++) {
            TenantId tenant = bed.putTenant(
                    "t" + t,
                    10 + 10 * t,
                    new TenantRules(
                            Tier.STANDARD,
                            0,
                            0,
                            Map.of(),
                            Map.of(),
                            Map.of("light", new LaneRules(5, List.of()), "heavy", new LaneRules(20, List.of())),
                            List.of(),
                            List.of(),
                            false));
            stream(tenant, "light-" + t, "light", "", 100 * MILLI);
            stream(tenant, "heavy-" + t, "heavy", t % 2 == 0 ? "" : "user", 100 * MILLI);
        }
        run(MINUTE);
        assertThat(longestWait).hasSize(10);
        Map<String, Double> shares = run(20 * MINUTE);
        assertThat(longestWait.values()).allMatch(wait -> wait < 5 * MINUTE);
        for (int t = 0; t < 5; t += 2) {
            assertThat(shares.get("light-" + t)).isCloseTo((10 + 10 * t) / 150.0 / 5, within(0.01));
        }
    }

    @Test
    void aLightTenantBelowItsShareDoesNotWaitForAHeavyOne() {
        bed.worker(1, 20, "work");
        TenantId heavy = bed.putTenant("heavy", 1_000);
        for (int i = 0; i < 5; i++) {
            stream(heavy, "heavy", "default", "", 300 * MILLI);
        }
        run(MINUTE);
        for (int second = 0; second < 60; second++) {
            TenantId light = bed.putTenant("light-" + second % 20, 10);
            Stream one = new Stream(light, "light", Bed.job("work"), 50 * MILLI, second);
            JobId id = bed.submit(light, one.job);
            of.put(id, one);
            since.put(id, bed.now);
            waiting.merge(one, 1, Integer::sum);
            run(Bed.SECOND);
        }
        assertThat(longestWait.get("light")).isLessThanOrEqualTo(300 * MILLI);
    }

    @Test
    void aPartThatComesAndGoesGainsNothing() {
        bed.worker(1, 10, "work");
        TenantId tenant = bed.putTenant("t", 10);
        stream(tenant, "steady", "default", "a", 50 * MILLI);
        stream(tenant, "steady", "default", "a", 50 * MILLI);
        stream(tenant, "steady", "default", "a", 50 * MILLI);
        run(MINUTE);
        Stream fickle = new Stream(tenant, "fickle", Bed.inLane("work", "default", part("b")), 50 * MILLI, 90);
        Stream fickle2 = new Stream(tenant, "fickle", Bed.inLane("work", "default", part("b")), 50 * MILLI, 91);
        double most = 0;
        for (int round = 0; round < 20; round++) {
            streams.add(fickle);
            streams.add(fickle2);
            double share = run(10 * Bed.SECOND).getOrDefault("fickle", 0.0);
            most = round < 2 ? 0 : Math.max(most, share);
            streams.remove(fickle);
            streams.remove(fickle2);
            run(Bed.SECOND);
        }
        // it gets its half, and what its burst is worth
        assertThat(most).isLessThan(0.75);
    }
}
