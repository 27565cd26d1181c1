package dev.fairlane.core.model;

/** What a worker has, a job demands, or a slot of a pool stands for. */
public record Resources(int cpuMillis, int memoryMib, int gpus) {
    public static final Resources NONE = new Resources(0, 0, 0);

    public boolean isNone() {
        return cpuMillis == 0 && memoryMib == 0 && gpus == 0;
    }

    public boolean fitsIn(Resources free) {
        return cpuMillis <= free.cpuMillis && memoryMib <= free.memoryMib && gpus <= free.gpus;
    }
}
