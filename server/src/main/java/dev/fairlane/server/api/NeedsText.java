package dev.fairlane.server.api;

import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.Resources;

/** What jobs need and workers have, as callers see it. */
final class NeedsText {
    private NeedsText() {}

    static dev.fairlane.protocol.v1.JobNeeds needs(JobNeeds needs) {
        dev.fairlane.protocol.v1.JobNeeds.Builder text = dev.fairlane.protocol.v1.JobNeeds.newBuilder()
                .setFairKey(needs.fairKey())
                .setConcurrencyKey(needs.concurrencyKey())
                .setRateKey(needs.rateKey())
                .setRateCost(needs.rateCost())
                .addAllRequires(needs.tags());
        if (!needs.demand().isNone()) {
            text.setDemand(resources(needs.demand()));
        }
        return text.build();
    }

    static dev.fairlane.protocol.v1.Resources resources(Resources resources) {
        return dev.fairlane.protocol.v1.Resources.newBuilder()
                .setCpuMillis(resources.cpuMillis())
                .setMemoryMib(resources.memoryMib())
                .setGpus(resources.gpus())
                .build();
    }
}
