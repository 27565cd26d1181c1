package dev.fairlane.sdk;

import java.util.List;

/**
 * What a job, or the jobs of a type, need beyond a slot, and whom they share with. Empty keys: none.
 *
 * @param fairKey part of the tenant it is charged to, e.g. a user: parts share the tenant's share evenly
 * @param concurrencyKey jobs with the same key run at most so many at once as the tenant's limits of keys say
 * @param rateKey jobs with the same key start at most so often as the tenant's limits of keys say
 * @param rateCost how many starts one start counts as; 0: what its type says, else 1
 * @param demand what it takes of its worker; none: one slot's
 * @param requires tags its worker must have, all of them
 */
public record JobNeeds(
        String fairKey, String concurrencyKey, String rateKey, int rateCost, Resources demand, List<String> requires) {
    public static final JobNeeds NONE = new JobNeeds("", "", "", 0, Resources.NONE, List.of());

    public JobNeeds {
        requires = List.copyOf(requires);
    }

    static JobNeeds ofWire(dev.fairlane.protocol.v1.JobNeeds wire) {
        return new JobNeeds(
                wire.getFairKey(),
                wire.getConcurrencyKey(),
                wire.getRateKey(),
                wire.getRateKey().isEmpty() && wire.getRateCost() <= 1 ? 0 : wire.getRateCost(),
                Resources.ofWire(wire.getDemand()),
                wire.getRequiresList());
    }

    dev.fairlane.protocol.v1.JobNeeds wire() {
        var wire = dev.fairlane.protocol.v1.JobNeeds.newBuilder()
                .setFairKey(fairKey)
                .setConcurrencyKey(concurrencyKey)
                .setRateKey(rateKey)
                .setRateCost(rateCost)
                .addAllRequires(requires);
        if (!demand.equals(Resources.NONE)) {
            wire.setDemand(demand.wire());
        }
        return wire.build();
    }

    public JobNeeds withFairKey(String key) {
        return new JobNeeds(key, concurrencyKey, rateKey, rateCost, demand, requires);
    }

    public JobNeeds withConcurrencyKey(String key) {
        return new JobNeeds(fairKey, key, rateKey, rateCost, demand, requires);
    }

    /** @param cost 0: what its type says, else 1 */
    public JobNeeds withRate(String key, int cost) {
        return new JobNeeds(fairKey, concurrencyKey, key, cost, demand, requires);
    }

    public JobNeeds withDemand(Resources resources) {
        return new JobNeeds(fairKey, concurrencyKey, rateKey, rateCost, resources, requires);
    }

    public JobNeeds withRequires(List<String> tags) {
        return new JobNeeds(fairKey, concurrencyKey, rateKey, rateCost, demand, tags);
    }
}
