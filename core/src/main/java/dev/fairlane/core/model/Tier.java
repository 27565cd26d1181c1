package dev.fairlane.core.model;

/** What a tenant pays for (semantics §3, §6). The order is part of the stored format: append only. */
public enum Tier {
    FREE(1, 10),
    STANDARD(10, 100),
    PRO(100, 10_000),
    ENTERPRISE(1_000, 0);

    private final int weight;
    private final int submitRate;

    Tier(int weight, int submitRate) {
        this.weight = weight;
        this.submitRate = submitRate;
    }

    /** Of a tenant that states none of its own. */
    public int weight() {
        return weight;
    }

    /** Jobs a second that a tenant may submit unless its rules say otherwise; 0: no bound. */
    public int submitRate() {
        return submitRate;
    }
}
