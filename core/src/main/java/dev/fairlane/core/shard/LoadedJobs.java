package dev.fairlane.core.shard;

import java.util.Arrays;
import java.util.function.IntConsumer;

/** Queued jobs as the store gave them, in any order, until they are put in line. */
final class LoadedJobs {
    private final JobSlots jobs;
    private int[] slots = new int[0];
    private int size;

    LoadedJobs(JobSlots jobs) {
        this.jobs = jobs;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(int slot) {
        if (size == slots.length) {
            slots = Arrays.copyOf(slots, Math.max(1024, size * 2));
        }
        slots[size++] = slot;
    }

    /** By the time they were queued, then by id. What was in order, as most is, costs one look. */
    void drainInOrder(IntConsumer sink) {
        int[] from = slots;
        int[] to = new int[size];
        for (int run = 1; run < size; run *= 2) {
            for (int start = 0; start < size; start += 2 * run) {
                merge(from, to, start, Math.min(start + run, size), Math.min(start + 2 * run, size));
            }
            int[] swap = from;
            from = to;
            to = swap;
        }
        int count = size;
        slots = new int[0];
        size = 0;
        for (int i = 0; i < count; i++) {
            sink.accept(from[i]);
        }
    }

    private void merge(int[] from, int[] to, int start, int middle, int end) {
        if (middle >= end || !after(from[middle - 1], from[middle])) {
            System.arraycopy(from, start, to, start, end - start);
            return;
        }
        int left = start;
        int right = middle;
        for (int at = start; at < end; at++) {
            if (left < middle && (right >= end || !after(from[left], from[right]))) {
                to[at] = from[left++];
            } else {
                to[at] = from[right++];
            }
        }
    }

    private boolean after(int slot, int other) {
        long at = jobs.queuedAt(slot);
        long otherAt = jobs.queuedAt(other);
        return at != otherAt ? at > otherAt : Long.compareUnsigned(jobs.lo(slot), jobs.lo(other)) > 0;
    }
}
