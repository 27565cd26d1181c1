package dev.fairlane.objects;

import org.jspecify.annotations.Nullable;

/** Something the store did not do, and why. */
public final class ObjectFault extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Whose fault it is and whether asking again may help. */
    public enum Kind {
        /** No object may have such a name. */
        INVALID_NAME,
        NOT_FOUND,
        /** It was to be written only if it was not there. */
        ALREADY_THERE,
        /** More or fewer bytes came than announced. */
        WRONG_SIZE,
        /** The part begins behind the object's end. */
        INVALID_RANGE,
        /** Whoever brings the bytes failed. */
        BROKEN_SOURCE,
        /** The store does not let us in. */
        DENIED,
        /** The store cannot be reached or is out of room: it may work later. */
        UNAVAILABLE
    }

    private final Kind kind;

    public ObjectFault(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    static ObjectFault unavailable(String message, Throwable cause) {
        return new ObjectFault(Kind.UNAVAILABLE, message + ": " + cause.getMessage(), cause);
    }

    static ObjectFault notFound(String name) {
        return new ObjectFault(Kind.NOT_FOUND, "there is no object " + name, null);
    }

    static ObjectFault alreadyThere(String name) {
        return new ObjectFault(Kind.ALREADY_THERE, "object " + name + " is already there", null);
    }

    static ObjectFault wrongSize(String name, long expected, long came) {
        return new ObjectFault(
                Kind.WRONG_SIZE,
                "expected " + expected + " bytes for " + name + ", but got " + (came > expected ? "more" : came),
                null);
    }

    static ObjectFault invalidRange(String name, long from, long size) {
        return new ObjectFault(
                Kind.INVALID_RANGE,
                "expected a first byte between 0 and " + size + " for " + name + ", but got " + from,
                null);
    }

    public Kind kind() {
        return kind;
    }
}
