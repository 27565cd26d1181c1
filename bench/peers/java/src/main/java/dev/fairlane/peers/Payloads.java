package dev.fairlane.peers;

/** The same 100 bytes of JSON that Fairlane is given. */
final class Payloads {
    private static final String HEAD = "{\"stamp\":";
    private static final int DIGITS = 19;
    private static final int BYTES = 100;

    private Payloads() {}

    static String of(long stamp) {
        String number = Long.toString(stamp);
        String begin = HEAD + " ".repeat(DIGITS - number.length()) + number + ",\"to\":\"a@example.com\",\"pad\":\"";
        return begin + "x".repeat(BYTES - begin.length() - 2) + "\"}";
    }

    static long stamp(String payload) {
        return Long.parseLong(payload.substring(HEAD.length(), HEAD.length() + DIGITS).strip());
    }
}
