package dev.fairlane.bench.load;

import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.Payload;
import java.util.Arrays;
import java.util.SplittableRandom;

/** What a flood submits, one job after the other. Used by one thread. */
interface Supply {
    /**
     * @param place in its batch
     * @param due when the batch is due, {@link System#nanoTime}
     */
    Job next(int place, long due);

    /** Jobs handed out that repeat no other: so many a worker will finish. */
    long fresh();

    /** No two alike. */
    final class Plain implements Supply {
        private final String[] lanes;
        private final boolean stamped;
        private long made;

        /**
         * @param lanes among how many lanes the jobs are spread; 0: the default one
         * @param stamped the payload says when the job was due, so that the worker can tell how long it took
         */
        Plain(int lanes, boolean stamped) {
            this.lanes = new String[lanes];
            Arrays.setAll(this.lanes, lane -> "lane-" + lane);
            this.stamped = stamped;
        }

        @Override
        public Job next(int place, long due) {
            Job job = Job.raw(Payloads.TYPE, Payloads.of(stamped ? due : made), Payload.JSON);
            made++;
            return lanes.length == 0 ? job : job.lane(lanes[place % lanes.length]);
        }

        @Override
        public long fresh() {
            return made;
        }
    }

    /**
     * Every job has an idempotency key, and of a hundred some are sent again: the same key with the same payload, of any of the last
     * jobs, so that some are still on their way, some open and most finished.
     */
    final class Keyed implements Supply {
        private static final int LOOK_BACK = 200_000;
        private static final long SEED = 20_261_115;

        private final String prefix;
        private final int duplicatePercent;
        private final SplittableRandom random = new SplittableRandom(SEED);
        private long made;

        /** @param prefix no other flood on the same server has it */
        Keyed(String prefix, int duplicatePercent) {
            if (duplicatePercent < 0 || duplicatePercent > 99) {
                throw new IllegalArgumentException("expected 0 to 99 percent, but got " + duplicatePercent);
            }
            this.prefix = prefix;
            this.duplicatePercent = duplicatePercent;
        }

        @Override
        public Job next(int place, long due) {
            if (made > 0 && random.nextInt(100) < duplicatePercent) {
                return job(made - 1 - random.nextLong(Math.min(made, LOOK_BACK)));
            }
            return job(made++);
        }

        private Job job(long number) {
            return Job.raw(Payloads.TYPE, Payloads.of(number), Payload.JSON).idempotencyKey(prefix + number);
        }

        @Override
        public long fresh() {
            return made;
        }
    }
}
