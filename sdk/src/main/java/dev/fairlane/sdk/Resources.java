package dev.fairlane.sdk;

/**
 * What a job takes of its worker, or what a worker has for its jobs together. Zero: does not count.
 *
 * @param cpuMillis thousandths of a core
 */
public record Resources(int cpuMillis, int memoryMib, int gpus) {
    public static final Resources NONE = new Resources(0, 0, 0);

    public Resources {
        if (cpuMillis < 0 || memoryMib < 0 || gpus < 0) {
            throw new IllegalArgumentException("expected no negative resources, but got " + cpuMillis
                    + " millis of CPU, " + memoryMib + " MiB, " + gpus + " GPUs");
        }
    }

    /** So many cores. */
    public static Resources cores(double cores) {
        return new Resources((int) Math.ceil(cores * 1_000), 0, 0);
    }

    /** The same and so much memory. */
    public Resources andMemoryMib(int mebibytes) {
        return new Resources(cpuMillis, mebibytes, gpus);
    }

    /** The same and so many GPUs. */
    public Resources andGpus(int count) {
        return new Resources(cpuMillis, memoryMib, count);
    }

    static Resources ofWire(dev.fairlane.protocol.v1.Resources wire) {
        return new Resources(wire.getCpuMillis(), wire.getMemoryMib(), wire.getGpus());
    }

    dev.fairlane.protocol.v1.Resources wire() {
        return dev.fairlane.protocol.v1.Resources.newBuilder()
                .setCpuMillis(cpuMillis)
                .setMemoryMib(memoryMib)
                .setGpus(gpus)
                .build();
    }
}
