package dev.fairlane.runtime;

/** A place in a node's log. Written as {@code epoch.sequence}. */
public record Position(long epoch, long sequence) {
    public static final Position NONE = new Position(0, 0);

    /** @throws IllegalArgumentException if it is not of that form */
    public static Position parse(String text) {
        if (text.isEmpty()) {
            return NONE;
        }
        int dot = text.indexOf('.');
        if (dot <= 0) {
            throw new IllegalArgumentException("expected epoch.sequence, but got '" + text + "'");
        }
        return new Position(
                Long.parseUnsignedLong(text.substring(0, dot)), Long.parseUnsignedLong(text.substring(dot + 1)));
    }

    @Override
    public String toString() {
        return epoch + "." + sequence;
    }
}
