/**
 * Starts Fairlane as its users run it (a server process, workers and clients in processes of their own, PostgreSQL beside
 * them), watches what they use, and takes everything down again.
 *
 * <h2>What is promised</h2>
 *
 * <ul>
 *   <li>Everything lives on the loopback address and in one folder; two rigs never meet.
 *   <li>Every wait is bounded and says what it waited for, with the end of the process's log.
 *   <li>Nothing outlives the rig: {@link dev.fairlane.bench.rig.Rig#close} stops what was started, newest first; so does the end of this
 *       JVM, and a {@link dev.fairlane.bench.rig.Guardian} does it when this JVM is killed. PostgreSQL, which leaves the server's
 *       process group on purpose, is found by its working folder.
 *   <li>The logs of a run that did not call {@link dev.fairlane.bench.rig.Rig#succeeded} stay.
 * </ul>
 *
 * Processor time and memory come from {@code /proc}, so measuring works on Linux only.
 */
@NullMarked
package dev.fairlane.bench.rig;

import org.jspecify.annotations.NullMarked;
