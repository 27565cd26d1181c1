package dev.fairlane.cli.demo;

import java.time.Duration;
import java.util.List;

/**
 * The demo at one moment.
 *
 * @param jobsPerSecond over the last moments
 * @param submit how long submits took until the server said "durable"
 * @param urgent from submit to start of jobs of priority 0, of all tenants
 * @param event the last thing worth telling, empty before there was one
 */
record Snapshot(
        Duration elapsed,
        double jobsPerSecond,
        long done,
        long retried,
        long dead,
        long cancelled,
        Latency submit,
        Latency urgent,
        List<TenantRow> tenants,
        String event) {

    record Latency(double p50Millis, double p99Millis) {}

    /**
     * @param share of the slot-time used since the start, 0 to 1
     * @param urgent the same for its jobs alone
     */
    record TenantRow(
            DemoTenant tenant, double share, long waiting, long running, double jobsPerSecond, Latency urgent) {

        /** Percentage points away from what is due. */
        double error() {
            return 100 * Math.abs(share - tenant.due());
        }
    }

    long waiting() {
        return tenants.stream().mapToLong(TenantRow::waiting).sum();
    }
}
