package dev.fairlane.server.api;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Under what a call can be found in the log: the trace the caller is in, or one of its own. */
public final class TraceId {
    private static final int START = 3;
    private static final int LENGTH = 32;

    private TraceId() {}

    /** @param traceparent the W3C header, {@code 00-<32 hex>-<16 hex>-<2 hex>} */
    public static String of(@Nullable String traceparent) {
        if (traceparent != null && traceparent.length() >= START + LENGTH + 1 && traceparent.charAt(2) == '-') {
            String id = traceparent.substring(START, START + LENGTH);
            if (id.chars().allMatch(c -> c >= '0' && c <= '9' || c >= 'a' && c <= 'f')) {
                return id;
            }
        }
        ThreadLocalRandom random = ThreadLocalRandom.current();
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
    }
}
