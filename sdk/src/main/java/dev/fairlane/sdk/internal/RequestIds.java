package dev.fairlane.sdk.internal;

import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Ids of calls: random per client, counted within it. */
public final class RequestIds {
    private static final int RANDOM_BITS = 120;

    private final String client = new BigInteger(RANDOM_BITS, new SecureRandom()).toString(Character.MAX_RADIX) + "-";
    private final AtomicLong calls = new AtomicLong();

    public String next() {
        return client + Long.toString(calls.incrementAndGet(), Character.MAX_RADIX);
    }
}
