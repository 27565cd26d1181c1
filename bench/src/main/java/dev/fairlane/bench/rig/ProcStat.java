package dev.fairlane.bench.rig;

/**
 * What the kernel says of a process or a thread in {@code /proc/…/stat}.
 *
 * @param name of the executable or thread, cut to 15 characters
 * @param cpuMicros user and system time of all its threads, those that ended included
 * @param reapedMicros the same of its children that ended and were waited for
 * @param rssBytes resident memory, shared pages included
 */
public record ProcStat(long pid, String name, long parent, long cpuMicros, long reapedMicros, long rssBytes) {
    /** USER_HZ and the page size are fixed on every Linux this runs on. */
    static final long MICROS_PER_TICK = 10_000;

    private static final long PAGE_BYTES = 4_096;

    /** Indexes into what follows the name, in the order of proc_pid_stat(5). */
    private static final int PARENT = 1;

    private static final int UTIME = 11;
    private static final int STIME = 12;
    private static final int REAPED_UTIME = 13;
    private static final int REAPED_STIME = 14;
    private static final int RSS = 21;

    /** @throws IllegalArgumentException if the text is not of that form */
    public static ProcStat parse(String line) {
        // The name is in parentheses and may itself hold blanks and parentheses.
        int open = line.indexOf('(');
        int close = line.lastIndexOf(')');
        if (open < 2 || close < open) {
            throw new IllegalArgumentException("expected 'PID (NAME) …', but got '" + line + "'");
        }
        String[] fields = line.substring(close + 1).strip().split(" ");
        if (fields.length <= RSS) {
            throw new IllegalArgumentException("expected more than " + RSS + " fields, but got '" + line + "'");
        }
        return new ProcStat(
                Long.parseLong(line.substring(0, open).strip()),
                line.substring(open + 1, close),
                Long.parseLong(fields[PARENT]),
                ticks(fields[UTIME], fields[STIME]),
                ticks(fields[REAPED_UTIME], fields[REAPED_STIME]),
                Long.parseLong(fields[RSS]) * PAGE_BYTES);
    }

    private static long ticks(String user, String system) {
        return (Long.parseLong(user) + Long.parseLong(system)) * MICROS_PER_TICK;
    }
}
