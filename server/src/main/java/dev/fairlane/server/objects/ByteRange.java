package dev.fairlane.server.objects;

import dev.fairlane.objects.ObjectStore;
import dev.fairlane.server.fault.Refused;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a header Range asks for: one range with a first byte.
 *
 * @param asked false when there was no header
 */
record ByteRange(long from, long length, boolean asked) {
    private static final Pattern ONE = Pattern.compile("bytes=(\\d{1,18})-(\\d{1,18})?");

    static ByteRange of(@Nullable String header) {
        if (header == null) {
            return new ByteRange(0, ObjectStore.UNKNOWN, false);
        }
        Matcher range = ONE.matcher(header);
        if (!range.matches()) {
            throw Refused.invalid("Range", "expected one range like bytes=0-1023");
        }
        long from = Long.parseLong(range.group(1));
        if (range.group(2) == null) {
            return new ByteRange(from, ObjectStore.UNKNOWN, true);
        }
        long last = Long.parseLong(range.group(2));
        if (last < from) {
            throw Refused.invalid("Range", "expected a last byte behind the first");
        }
        return new ByteRange(from, last - from + 1, true);
    }
}
