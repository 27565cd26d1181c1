package dev.fairlane.core.model;

import org.jspecify.annotations.Nullable;

/**
 * Jobs that are looked at together, and what is to be done when all of them are at their end.
 *
 * @param name for people; may be empty
 * @param callback the job to submit, under the group's own id until it gets one; null for none. It stays as it was given: what its type
 *     says is asked when the group is made
 * @param progress how far it is; the rest never changes
 */
public record JobGroup(
        JobId id,
        TenantId tenant,
        String name,
        CallbackOn callbackOn,
        @Nullable JobSpec callback,
        long createdAt,
        GroupProgress progress) {
    public static final int MAX_MEMBERS = 1_000_000;
    public static final int MAX_OPEN_PER_TENANT = 100_000;

    /** When the callback is submitted. The order is part of the stored format: append only. */
    public enum CallbackOn {
        /** However its members ended. */
        ALL_DONE,
        /** Only when every member succeeded. */
        ALL_SUCCEEDED;

        private static final CallbackOn[] ALL = values();

        public static CallbackOn of(int ordinal) {
            return ALL[ordinal];
        }
    }

    public JobGroup with(GroupProgress newer) {
        return new JobGroup(id, tenant, name, callbackOn, callback, createdAt, newer);
    }
}
