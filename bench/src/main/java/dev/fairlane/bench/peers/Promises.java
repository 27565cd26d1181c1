package dev.fairlane.bench.peers;

import dev.fairlane.bench.report.Figures;

/**
 * What one gets beside a rate, with the settings that are measured.
 *
 * @param history what is left of a finished job, and for how long
 * @param recovery when the jobs of a worker that died run again
 * @param delivery how often a job may run, and what a worker can still do that was taken for dead
 * @param sharing who goes first when not all can
 * @param workersTalkTo who gives them their jobs
 */
public record Promises(String history, String recovery, String delivery, String sharing, String workersTalkTo) {
    /** Libraries in the worker's own process. */
    static Promises ofLibrary(String history, String recovery, String delivery, String sharing) {
        return new Promises(history, recovery, delivery, sharing, "PostgreSQL directly");
    }

    /** Each for itself, and {@code keeps}: all in one sentence. */
    public Figures figures() {
        return new Figures()
                .put(
                        "keeps",
                        history + "; jobs of a dead worker run again " + recovery + "; " + delivery + "; " + sharing)
                .put("history", history)
                .put("recovery", recovery)
                .put("delivery", delivery)
                .put("sharing", sharing)
                .put("workers_talk_to", workersTalkTo);
    }
}
