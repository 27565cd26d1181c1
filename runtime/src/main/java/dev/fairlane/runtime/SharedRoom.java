package dev.fairlane.runtime;

import org.jspecify.annotations.Nullable;

/**
 * The rule by which several fill a room of a fixed size: nobody may have more than is still free. One alone gets half of it, two that want
 * everything a third each, and whoever comes next always finds some, however long the others stay. Who has what is counted by its users.
 *
 * @param size of all together
 */
public record SharedRoom(int size) {

    /**
     * Why something more was not let in.
     *
     * @param limit so much may be inside
     * @param present so much was
     * @param own whether that is said of the one who asked; otherwise of all together
     */
    public record Full(int limit, int present, boolean own) {}

    /**
     * Null if there is room. Who has nothing inside gets anything, of whatever size, while the room is not full.
     *
     * @param all what everybody has inside, without what is asked for
     * @param own how much of that is of the one who asks
     */
    public @Nullable Full refusal(int all, int own, int asked) {
        if (all >= size) {
            return new Full(size, all, false);
        }
        if (own > 0 && own + asked > size - all) {
            return new Full(Math.max(1, (size - (all - own)) / 2), own, true);
        }
        return null;
    }
}
