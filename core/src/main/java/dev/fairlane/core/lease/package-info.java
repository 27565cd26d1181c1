/**
 * Who holds which job until when.
 *
 * <p>That a job is leased, under which token and by which worker's name is hard: it is in the job's image. Everything here is
 * derived from it or soft: until when a lease runs (heartbeats move it, in memory), which stream the worker is connected by, and
 * with it which seats are free. What a failover costs: every lease gets its full length again, and a worker's seats count as
 * free until it has said, on reconnecting, which leases it still holds.
 */
@NullMarked
package dev.fairlane.core.lease;

import org.jspecify.annotations.NullMarked;
