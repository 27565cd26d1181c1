/**
 * How executions and jobs end, and what follows.
 *
 * <p>{@link dev.fairlane.core.outcome.JobLife} is the table of semantics §2: every step of a job is a row of it, and a decision
 * that is not is a fault. {@link dev.fairlane.core.outcome.RetryPolicy} is the table of §5: what a failure of a class comes to.
 */
@NullMarked
package dev.fairlane.core.outcome;

import org.jspecify.annotations.NullMarked;
