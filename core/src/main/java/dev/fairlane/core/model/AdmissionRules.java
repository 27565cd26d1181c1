package dev.fairlane.core.model;

import java.util.List;

/**
 * When submits are slowed, marked and refused (semantics §3).
 *
 * @param submitRates per tier, jobs a second that a tenant may submit unless its rules say otherwise; 0: no bound
 * @param maxCommitLagMicros how long a commit may take before the node counts as full
 * @param degradedPercent of any bound of the node: from here on jobs of low priority are taken as degraded
 * @param fullPercent of any bound of the node: from here on submits are refused
 */
public record AdmissionRules(List<Integer> submitRates, long maxCommitLagMicros, int degradedPercent, int fullPercent) {
    public static final AdmissionRules DEFAULT = new AdmissionRules(
            List.of(
                    Tier.FREE.submitRate(),
                    Tier.STANDARD.submitRate(),
                    Tier.PRO.submitRate(),
                    Tier.ENTERPRISE.submitRate()),
            5_000_000,
            80,
            90);

    public AdmissionRules {
        if (submitRates.size() != Tier.values().length) {
            throw new IllegalArgumentException("expected a rate per tier, but got " + submitRates);
        }
        if (degradedPercent < 1 || degradedPercent > fullPercent || fullPercent > 100) {
            throw new IllegalArgumentException(
                    "expected 1 ≤ degraded ≤ full ≤ 100 percent, but got " + degradedPercent + " and " + fullPercent);
        }
    }

    /** Jobs a second; 0: no bound. */
    public int submitRate(TenantRules rules) {
        return rules.submitRate() > 0
                ? rules.submitRate()
                : submitRates.get(rules.tier().ordinal());
    }
}
