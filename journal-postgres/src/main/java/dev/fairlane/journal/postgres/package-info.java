/**
 * The journal on PostgreSQL. All SQL is in files: {@code migrations} make the schema {@code fairlane}, {@code sql} holds the statements,
 * each named by its deed.
 *
 * <p><b>Connections</b> are direct. Appends have one, flushes and compactions have one, upkeep has one; a small pool answers questions. Each
 * of the first three belongs to one thread. A connection that failed is replaced only after its server process was ended, so that
 * nothing sent over it can happen later.
 *
 * <p><b>The fence.</b> {@code append} is one call of a VOLATILE function in auto-commit mode: take the log's advisory lock shared, and then, in
 * a new statement and so with a new snapshot, look whether the log is open, and insert. Flushes and compactions do the same. A takeover
 * takes the lock exclusively, which waits for those in the middle of a commit (locks are held until a standby has confirmed), closes
 * the log and commits; only then it reads the tail.
 *
 * <p><b>Journal.</b> A ring of four plain tables. A batch is cut into parts that fill a page. The writer changes to the next table after 64
 * MiB if that one is empty; tables behind it are truncated once everything in them is in rows or over, no
 * job that flushes left out among it. As long as the next one is needed, the writer goes on in the one it has.
 *
 * <p><b>Open jobs</b> are kept in segments: tables that are only appended to and truncated as a whole. A row is a job, or a newer image of
 * one, or a list of jobs of this segment that ended; the greatest flush number wins. A segment takes no more jobs after 64 Ki rows, and
 * gets its indexes only if it is still there a few seconds later, at which moment they cost a sort instead of a page write per row.
 * Compaction moves what is still open and leaves the table behind as dirty; it is truncated when no reader is in the way. Readers hold
 * a lock on {@code open_reading} taken before their snapshot, because TRUNCATE does not respect snapshots.
 *
 * <p><b>History</b> is copied into the table of its day with a single index, (tenant, id). DEAD jobs are in the dead-letter queue
 * {@code job_dead} instead. Jobs whose day was dropped are late: {@code job_done_late}.
 *
 * <p><b>Write-back.</b> Rows that a flush copies leave PostgreSQL's memory at once, for the system's, which would keep them for half a minute and
 * then write them all together while commits wait for the disk. Sessions ask for them to be written a megabyte at a time
 * ({@code backend_flush_after}), also on a server that is not ours.
 *
 * <p><b>Outcomes.</b> An error raised inside a statement means that nothing happened. A connection lost in an append or in a commit, and any
 * warning on a commit (a cancelled wait for a standby), leaves the outcome open: {@code resolve} ends the lost connection, takes the
 * exclusive lock, commits a marker and reads. Flushes and compactions find out by themselves when repeated.
 */
@NullMarked
package dev.fairlane.journal.postgres;

import org.jspecify.annotations.NullMarked;
