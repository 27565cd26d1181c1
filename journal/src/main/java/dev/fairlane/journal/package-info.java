/**
 * The journal: where facts become durable, and the only door to what was made durable.
 *
 * <p><b>State model.</b> A log belongs to one start of one node. It is a sequence of batches 1, 2, 3, …, each holding the facts of
 * one turn, chained by hash. Projection moves what the batches say into rows people query and moves the log's flush position
 * forward in the same transaction; recovery is the open rows plus the batches behind that position, and the jobs in front of it that flushes
 * left out, for which their batches are kept.
 *
 * <p><b>Who may write.</b> {@code append} and {@code flush} take a shared lock on their log and then check that it is open; {@code open}
 * takes the lock of every older log exclusively, closes it, commits, and only then reads its tail. However late an old owner
 * wakes, it can neither append nor flush: it gets {@link dev.fairlane.journal.JournalFault.Fenced}.
 *
 * <p><b>Failure handling.</b> Every operation ends in one of four ways: done; {@code Fenced} (ownership is lost for good);
 * {@code Unavailable} (it certainly did not happen, and may be sent again as it is); {@code UnknownOutcome} (it may or may not have
 * happened, or may still happen: only {@code resolve} can tell, by committing a marker behind it through the same
 * synchronous path before it reads).
 */
@NullMarked
package dev.fairlane.journal;

import org.jspecify.annotations.NullMarked;
