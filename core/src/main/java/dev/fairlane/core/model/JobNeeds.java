package dev.fairlane.core.model;

import java.util.List;

/**
 * What a job needs to run, beyond a slot, and whom it shares with. One shared {@link #NONE} stands for all that need nothing.
 *
 * @param fairKey part of its tenant it is charged to (a user, a project); parts share the tenant's share evenly. Empty: the tenant
 * @param concurrencyKey jobs with the same key run at most so many at once as the tenant's rules say, or its type; empty: none
 * @param rateKey jobs with the same key start at most so often as the tenant's rules say; empty: none
 * @param rateCost how many starts one start counts as; of a job that is submitted, 1 where it says nothing, and {@link #JUST_ONE}
 * @param demand resources; none: one slot's
 * @param tags every one of which its worker must have, in order
 */
public record JobNeeds(
        String fairKey, String concurrencyKey, String rateKey, int rateCost, Resources demand, List<String> tags) {
    public static final JobNeeds NONE = new JobNeeds("", "", "", 1, Resources.NONE, List.of());

    /** Said by a job that is submitted: it costs 1, whatever its type says. */
    public static final int JUST_ONE = -1;

    /** The same, as {@link #NONE} where it says nothing. */
    public JobNeeds shared() {
        return equals(NONE) ? NONE : this;
    }
}
