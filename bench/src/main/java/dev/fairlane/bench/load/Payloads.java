package dev.fairlane.bench.load;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The canonical payload: 100 bytes of JSON with one number in it, so that no two are alike. */
public final class Payloads {
    public static final int BYTES = 100;
    public static final String TYPE = "noop";

    private static final String HEAD = "{\"stamp\":";
    private static final int DIGITS = 19;
    private static final byte[] TEMPLATE = template();

    private Payloads() {}

    /** @param stamp not negative */
    public static byte[] of(long stamp) {
        byte[] bytes = TEMPLATE.clone();
        long rest = stamp;
        int at = HEAD.length() + DIGITS - 1;
        do {
            bytes[at--] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest > 0);
        return bytes;
    }

    /** Whether a stamp is a time of the machine's clock; below it is a number. */
    public static boolean isTime(long stamp) {
        return stamp > 1_000_000_000L;
    }

    public static long stamp(byte[] payload) {
        long value = 0;
        for (int i = HEAD.length(); i < HEAD.length() + DIGITS; i++) {
            if (payload[i] != ' ') {
                value = value * 10 + payload[i] - '0';
            }
        }
        return value;
    }

    private static byte[] template() {
        String middle = HEAD + " ".repeat(DIGITS) + ",\"to\":\"a@example.com\",\"pad\":\"";
        byte[] bytes = new byte[BYTES];
        Arrays.fill(bytes, (byte) 'x');
        byte[] start = middle.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(start, 0, bytes, 0, start.length);
        bytes[BYTES - 2] = '"';
        bytes[BYTES - 1] = '}';
        return bytes;
    }
}
