package dev.fairlane.server.admit;

/** Bounds of the API, fixed by its contract. */
public final class Limits {
    public static final int PAYLOAD_BYTES = 256 << 10;
    public static final int CALL_BYTES = 8 << 20;
    public static final int JOBS_PER_CALL = 1_000;
    public static final int SCHEDULES_PER_CALL = 1_000;
    public static final int JSON_DEPTH = 64;
    public static final int NAME_LENGTH = 128;
    public static final int IDEMPOTENCY_KEY_LENGTH = 256;
    public static final int REQUEST_ID_LENGTH = 64;
    public static final int CONTENT_TYPE_LENGTH = 127;
    public static final int ENTRIES = 16;
    public static final int ENTRY_NAME_LENGTH = 64;
    public static final int TAG_LENGTH = 256;
    public static final int HEADER_LENGTH = 1_024;
    public static final int WEBHOOK_LENGTH = 1_024;
    public static final int ATTEMPTS = 100;
    /** A job is at its end after 7 days at the latest, so no attempt may take longer. */
    public static final long TIME_LIMIT_MS = 7L * 24 * 3_600 * 1_000;
    /** The year 2100: later times are taken for mistakes in the unit. */
    public static final long TIME_MICROS = 4_102_444_800L * 1_000_000;

    public static final long MAX_AGE_MS = 366L * 24 * 3_600 * 1_000;
    public static final long DELAY_MS = 10L * 365 * 24 * 3_600 * 1_000;

    public static final int PAGE = 1_000;
    public static final int DEFAULT_PAGE = 50;
    public static final long AWAIT_MS = 60_000;
    public static final long DEFAULT_AWAIT_MS = 30_000;

    /** Keys by which jobs share: fair keys, concurrency keys, rate keys. */
    public static final int SHARE_KEY_LENGTH = 200;

    public static final int REQUIRED_TAGS = 16;
    public static final int WORKER_TAGS = 64;
    public static final int POOLS = 64;

    public static final int WORKER_TYPES = 1_000;
    public static final int WORKER_SLOTS = 100_000;
    public static final int WORKER_MESSAGE_BYTES = 4 << 20;
    public static final int PROGRESS_LENGTH = 200;
    public static final int FAILURE_MESSAGE_LENGTH = 1_024;
    public static final int ERROR_NAME_LENGTH = 256;
    public static final int FAILURE_DETAIL_LENGTH = 16 << 10;

    private Limits() {}
}
