/**
 * Effects in a database, once per job although jobs run at least once.
 *
 * <ul>
 *   <li>{@link dev.fairlane.sdk.jdbc.Once}: the writes of a job and a row with its effect key are committed together; an attempt that
 *       finds the row skips the writes. For inserts, counters, transfers: whatever must not happen twice.
 *   <li>{@link dev.fairlane.sdk.jdbc.Fence}: the last attempt wins. A write carries the fencing token, and one with a smaller token than
 *       the last is refused. For writes that may be repeated, but not by a worker that was believed dead after its successor has written.
 * </ul>
 *
 * Both check the lease before they write and once more before they commit. What is guarded is the database the guard lives in, and
 * nothing else: a mail sent from inside is sent again.
 */
@NullMarked
package dev.fairlane.sdk.jdbc;

import org.jspecify.annotations.NullMarked;
