/**
 * Semantics §5 told in scenarios: for each class of failure how often a job runs, how long it waits and how it ends, on the real server
 * with real clients and workers and a clock that skips the waiting. What is asserted is what every user can see.
 */
@NullMarked
package dev.fairlane.sdk.testing.scenarios;

import org.jspecify.annotations.NullMarked;
