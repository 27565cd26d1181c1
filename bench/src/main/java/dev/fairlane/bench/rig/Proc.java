package dev.fairlane.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The processes of this machine, read from {@code /proc}. Processes that end while they are read are left out. */
public final class Proc {
    private static final Path ROOT = Path.of("/proc");
    private static final Pattern STOLEN = Pattern.compile("^cpu +(?:\\d+ ){7}(\\d+)");
    private static final Pattern PSS = Pattern.compile("(?m)^Pss:\\s+(\\d+) kB$");

    private Proc() {}

    /** Time in which this machine, a guest of another, had something to do but no processor to do it on; 0 where nobody says. */
    public static long stolenMicros() {
        return read(ROOT.resolve("stat")).map(Proc::parseStolen).orElse(0L);
    }

    static long parseStolen(String stat) {
        Matcher matcher = STOLEN.matcher(stat);
        return matcher.find() ? Long.parseLong(matcher.group(1)) * ProcStat.MICROS_PER_TICK : 0;
    }

    public static Optional<ProcStat> stat(long pid) {
        return read(ROOT.resolve(Long.toString(pid)).resolve("stat")).map(ProcStat::parse);
    }

    /** Resident memory in which a page shared by n processes counts for a n-th in each. */
    public static long proportionalBytes(long pid) {
        return read(ROOT.resolve(Long.toString(pid)).resolve("smaps_rollup"))
                .map(Proc::parsePss)
                .orElse(0L);
    }

    static long parsePss(String rollup) {
        Matcher matcher = PSS.matcher(rollup);
        return matcher.find() ? Long.parseLong(matcher.group(1)) << 10 : 0;
    }

    /** Processor time by name of the thread, numbers at the end of the name taken off: one entry per pool. */
    public static Map<String, Long> threadMicros(long pid) {
        Map<String, Long> micros = new HashMap<>();
        for (Path task : list(ROOT.resolve(Long.toString(pid)).resolve("task"))) {
            read(task.resolve("stat"))
                    .map(ProcStat::parse)
                    .ifPresent(stat -> micros.merge(poolOf(stat.name()), stat.cpuMicros(), Long::sum));
        }
        return micros;
    }

    static String poolOf(String thread) {
        return thread.replaceAll("[-#\\s]*\\d+$", "");
    }

    /** Processes whose working folder is the given one or lies below it. */
    public static List<Long> workingIn(Path folder) {
        Path real;
        try {
            real = folder.toRealPath();
        } catch (IOException gone) {
            return List.of();
        }
        List<Long> found = new ArrayList<>();
        for (Path process : list(ROOT)) {
            String name = process.getFileName().toString();
            if (name.chars().allMatch(Character::isDigit) && worksIn(process, real)) {
                found.add(Long.parseLong(name));
            }
        }
        return found;
    }

    private static boolean worksIn(Path process, Path folder) {
        try {
            return Files.readSymbolicLink(process.resolve("cwd")).startsWith(folder);
        } catch (IOException | SecurityException endedOrForeign) {
            return false;
        }
    }

    private static List<Path> list(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        } catch (IOException | UncheckedIOException ended) {
            return List.of();
        }
    }

    private static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file));
        } catch (IOException ended) {
            return Optional.empty();
        }
    }
}
