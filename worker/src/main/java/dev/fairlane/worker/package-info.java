/**
 * The ready-made worker: runs a command per job.
 *
 * <p>The contract of a command, as {@link dev.fairlane.worker.CommandHandler} keeps it:
 *
 * <ul>
 *   <li>the payload comes on stdin; {@code FAIRLANE_JOB_ID}, {@code FAIRLANE_TYPE}, {@code FAIRLANE_TENANT},
 *       {@code FAIRLANE_ATTEMPT}, {@code FAIRLANE_MAX_ATTEMPTS}, {@code FAIRLANE_EXECUTION}, {@code FAIRLANE_TOKEN},
 *       {@code FAIRLANE_EFFECT_KEY}, {@code FAIRLANE_CONTENT_TYPE}, {@code FAIRLANE_HEADERS} (a JSON object) and, for traces,
 *       {@code TRACEPARENT} are in its environment;
 *   <li>stdout is the result, at most 64 MiB: JSON if it is well-formed, else text, else bytes; nothing is no result;
 *   <li>exit 0 is success; 75 (EX_TEMPFAIL) means "come back later" and costs no attempt; 64 (EX_USAGE), 65 (EX_DATAERR) and 78
 *       (EX_CONFIG) mean that trying again cannot help; 69 (EX_UNAVAILABLE) blames a dependency; 137 (SIGKILL) is taken for too much
 *       memory; anything else is retried; {@code --exit} changes any of it. The last line of stderr is the message, its tail the detail;
 *   <li>at a cancel, at the time limit and when the lease is lost, the whole process tree gets SIGTERM, and SIGKILL if it is still
 *       there after a grace.
 * </ul>
 *
 * Delivery is at least once: a command may run again for the same job, with the same {@code FAIRLANE_EFFECT_KEY} and a larger
 * {@code FAIRLANE_TOKEN}.
 */
@NullMarked
package dev.fairlane.worker;

import org.jspecify.annotations.NullMarked;
