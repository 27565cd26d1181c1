/**
 * The journal in memory: for tests, for the simulator, and for trying Fairlane without a database.
 *
 * <p><b>Two halves.</b> {@link dev.fairlane.journal.memory.InMemoryStore} is the durable part and plays PostgreSQL: logs, rows, locks. It
 * survives its clients. {@link dev.fairlane.journal.memory.InMemoryJournal} is one node's connection to it.
 *
 * <p><b>Steps.</b> A call becomes a {@link dev.fairlane.journal.memory.StoreOperation}: a row of steps such as lock, check, write, commit,
 * release, report. A step is atomic; between two steps anything may happen. A {@link dev.fairlane.journal.memory.StepExecutor} decides when
 * each step runs. The usual one runs them at once; the simulator's interleaves the steps of several operations, cuts
 * connections between them, or lets a commit land long after its caller has given up on it.
 *
 * <p><b>Locks</b> are those of the port's essay: shared for append and flush, exclusive for open, resolve and close, queued in the order
 * of asking, held until the transaction ends, whether or not anybody still listens to it.
 *
 * <p><b>Determinism.</b> There is no clock, thread or random number here, and every iteration has a fixed order: the same calls and
 * the same order of steps give the same answers.
 */
@NullMarked
package dev.fairlane.journal.memory;

import org.jspecify.annotations.NullMarked;
