package dev.fairlane.core.model;

/**
 * What holds back many waiting jobs at once while it is closed; they keep their places, and new ones join them.
 *
 * @param tenant whose jobs; {@link #EVERYBODY} for a pool's and for the system
 * @param name of the type, lane or pool; empty for a tenant and for the system
 * @param by name of the key that asked
 */
public record Gate(Kind kind, TenantId tenant, String name, boolean closed, String by, String why, long changedAt) {
    public static final TenantId EVERYBODY = new TenantId(0);

    /** The order is part of the stored format: append only. */
    public enum Kind {
        TYPE,
        LANE,
        TENANT,
        POOL,
        /** Maintenance: nothing at all is given. */
        SYSTEM;

        private static final Kind[] ALL = values();

        public static Kind of(int ordinal) {
            return ALL[ordinal];
        }
    }
}
