/** Decisions, and nothing but {@code java.base} below them. */
module dev.fairlane.core {
    requires static org.jspecify;

    exports dev.fairlane.core.model;
    exports dev.fairlane.core.outcome;
    exports dev.fairlane.core.shard;
    exports dev.fairlane.core.time;
}
