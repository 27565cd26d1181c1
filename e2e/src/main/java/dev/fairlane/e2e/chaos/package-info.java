/**
 * Faults on the real thing: a server with its PostgreSQL, workers and clients as processes of their own, killed again and again while
 * they work, and afterwards judged by the {@linkplain dev.fairlane.e2e.check.Checker checker}.
 *
 * <pre>
 * Chaos       one run: start, submit and strike, heal, drain, read everything, kill once more, read everything again, judge
 *  ├ Submitters        call without pause, and write down what they asked and heard
 *  ├ LimitSeeker       wants more than caps, limits of keys and a quota allow
 *  ├ Ticking           schedules that fire every second all the while
 *  ├ Faults            strike by seed and bring back what was killed; PostgreSQL comes back by itself
 *  ├ RecordingWorker   a process: the SDK's worker with handlers that write down what they do
 *  └ ZombieWorker      a process: speaks the worker protocol itself, falls silent, answers late and twice
 * </pre>
 *
 * The seed decides what is submitted and what is struck in which order; what meets what in real processes is up to the machine.
 */
@NullMarked
package dev.fairlane.e2e.chaos;

import org.jspecify.annotations.NullMarked;
