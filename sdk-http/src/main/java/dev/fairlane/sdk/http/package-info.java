/**
 * Calls of other systems from jobs: {@link dev.fairlane.sdk.http.IdempotentHttp} sends the job's effect key as {@code Idempotency-Key},
 * so that a system that knows such keys does once what is asked twice. A system that ignores them does it twice: nothing on this side
 * can prevent that.
 */
@NullMarked
package dev.fairlane.sdk.http;

import org.jspecify.annotations.NullMarked;
