/**
 * How the SDK talks: calls with retries, and the worker's side of the worker protocol. Not API: anything here may change.
 *
 * <p>A {@link dev.fairlane.sdk.internal.Wire} is a connection, an {@link dev.fairlane.sdk.internal.Rpc} its use with one key, and
 * {@link dev.fairlane.sdk.internal.Connections} says which connection is used for what. Bulk streams and workers have their callbacks on
 * the network thread, which never runs code of users: {@link dev.fairlane.sdk.internal.OneByOne} stands between.
 *
 * <p>The worker is three parties that share little:
 *
 * <ul>
 *   <li>the <b>network thread</b> of the stream takes leases in ({@link dev.fairlane.sdk.internal.HeldLeases}) and starts their
 *       handlers, and takes acks in;
 *   <li>each <b>handler</b> runs on its own virtual thread and leaves its outcome in the
 *       {@link dev.fairlane.sdk.internal.Outbox}, without a lock;
 *   <li>one <b>loop</b> ({@link dev.fairlane.sdk.internal.WorkerLoop}) does all that is said to the server (hello, reports,
 *       heartbeats, drain) and all that time brings (lease ends, time limits, reconnects), by scanning what is held. There is no
 *       timer per job.
 * </ul>
 */
@NullMarked
package dev.fairlane.sdk.internal;

import org.jspecify.annotations.NullMarked;
