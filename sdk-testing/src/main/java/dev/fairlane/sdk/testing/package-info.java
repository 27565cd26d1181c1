/**
 * For the unit tests of those who write handlers. No PostgreSQL, no container, no waiting.
 *
 * <p>Two ways, from light to whole:
 *
 * <ul>
 *   <li>{@link dev.fairlane.sdk.testing.HandlerRunner} runs one handler with a {@link dev.fairlane.sdk.testing.TestJobContext}: no
 *       server, no threads. The test says which attempt it is, cancels it, takes its lease away.
 *   <li>{@link dev.fairlane.sdk.testing.TestFairlane} is the real server, on a journal in memory, with real clients and real workers
 *       over loopback, and one {@linkplain dev.fairlane.sdk.testing.TestClock clock} for all of them that the test moves: retries, delays,
 *       leases and time limits that take hours take milliseconds. {@link dev.fairlane.sdk.testing.FairlaneExtension} gives one to each
 *       test method.
 * </ul>
 *
 * <p>The module needs Java 25, because the server does; what it tests may target Java 21 as the SDK does.
 */
@NullMarked
package dev.fairlane.sdk.testing;

import org.jspecify.annotations.NullMarked;
