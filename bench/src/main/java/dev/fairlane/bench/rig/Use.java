package dev.fairlane.bench.rig;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the parts of a rig have used at one moment; the difference of two is what a stretch of work cost.
 *
 * @param cpuMicros by part: server, postgres, worker, client
 * @param residentBytes by part, shared pages counted once
 */
public record Use(Map<String, Long> cpuMicros, Map<String, Long> residentBytes) {

    /** @param parts for each part its processes; the time of a process's ended children is counted with it */
    public static Use of(Map<String, List<Long>> parts) {
        Map<String, Long> cpu = new LinkedHashMap<>();
        Map<String, Long> memory = new LinkedHashMap<>();
        parts.forEach((part, pids) -> {
            cpu.put(part, cpuMicros(pids));
            memory.put(part, pids.stream().mapToLong(Proc::proportionalBytes).sum());
        });
        return new Use(cpu, memory);
    }

    public static long cpuMicros(List<Long> pids) {
        List<ProcStat> stats = new ArrayList<>();
        pids.forEach(pid -> Proc.stat(pid).ifPresent(stats::add));
        // A java process has reaped things that are not its work (the embedded PostgreSQL, for one); a postmaster has
        // not.
        return stats.stream()
                .mapToLong(s -> s.cpuMicros() + (s.name().equals("postgres") ? s.reapedMicros() : 0))
                .sum();
    }

    /** Processor time since {@code earlier}, by part. */
    public Map<String, Long> cpuMicrosSince(Use earlier) {
        Map<String, Long> spent = new LinkedHashMap<>();
        cpuMicros.forEach((part, micros) -> spent.put(part, micros - earlier.cpuMicros.getOrDefault(part, 0L)));
        return spent;
    }
}
