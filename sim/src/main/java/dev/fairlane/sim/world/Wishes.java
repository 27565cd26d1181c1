package dev.fairlane.sim.world;

/** Something a client may want, again and again. */
interface Wishes {
    /** Wants it once more. */
    void wish();

    /** Called again and again after the world has healed: undoes what would keep jobs from their end. */
    default void settle() {}

    /** After the world has healed: nothing of it is left to wait for. */
    default boolean done() {
        return true;
    }
}
