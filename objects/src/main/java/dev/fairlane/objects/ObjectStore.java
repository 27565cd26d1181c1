package dev.fairlane.objects;

import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/**
 * Bytes under names. Every method may block; call them from virtual threads. Whatever goes wrong is an {@link ObjectFault}.
 *
 * <p>Names are checked by {@link ObjectName}: segments of letters, digits, {@code .}, {@code _} and {@code -}, joined by slashes.
 */
public interface ObjectStore extends AutoCloseable {
    /** A size nobody knows beforehand; a length that means "to the end". */
    long UNKNOWN = -1;

    /** Most names in one page of a list. */
    int PAGE_MAX = 1_000;

    /**
     * Writes an object whole: when this returns it is durable and readable, and when it throws nothing can be read that was not there
     * before.
     *
     * @param size bytes that will come, or {@link #UNKNOWN}; a stream of another length is refused as WRONG_SIZE
     * @param onlyIfAbsent refuse with ALREADY_THERE instead of replacing
     */
    ObjectInfo put(String name, InputStream bytes, long size, boolean onlyIfAbsent);

    /**
     * Opens an object for reading; the caller closes it.
     *
     * @param from first byte wanted, at most the object's size
     * @param length how many at most, or {@link #UNKNOWN} for all that follow
     */
    ObjectBody get(String name, long from, long length);

    /** What is known of an object without reading it. */
    Optional<ObjectInfo> head(String name);

    /**
     * Names that start with the prefix, in their order.
     *
     * @param after only names behind this one; empty from the first on
     * @param max 1 to {@link #PAGE_MAX}
     */
    Page list(String prefix, String after, int max);

    /** Removes an object; removing what is not there is no fault. */
    void delete(String name);

    @Override
    void close();

    /** @param more whether there are names behind the last one */
    record Page(List<ObjectInfo> objects, boolean more) {}
}
