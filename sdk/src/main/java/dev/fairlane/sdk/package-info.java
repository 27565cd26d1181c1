/**
 * The Java client and worker of Fairlane.
 *
 * <pre>{@code
 * record SendEmail(String to, String template) {}
 *
 * try (var fairlane = Fairlane.connect("http://localhost:8080", key)) {
 *     JobHandle job = fairlane.submit(Job.of("send_email", new SendEmail("a@example.com", "reset")).priority(1));
 *     Worker.of(fairlane).pool(Pool.SHORT).slots(50)
 *           .handle("send_email", SendEmail.class, (ctx, email) -> mailer.send(email, ctx.effectKey().value()))
 *           .start();
 *     SendResult r = job.await(SendResult.class, Duration.ofSeconds(10));
 * }
 * }</pre>
 *
 * <h2>Delivery is at least once</h2>
 *
 * A job that was accepted is never lost, and for the same reason it may run more than once: a worker can die, or lose its
 * connection, after the handler did its work and before the server heard of it. No queue can do better for effects outside of
 * itself. Handlers live with it in one of three ways:
 *
 * <ul>
 *   <li><b>Make the effect repeatable.</b> Give {@link dev.fairlane.sdk.JobContext#effectKey()}, the same on every attempt, to
 *       the outside system as its idempotency key (a payment provider's {@code Idempotency-Key}, a unique column).
 *   <li><b>Guard the write.</b> Store {@link dev.fairlane.sdk.JobContext#fencingToken()}, which grows with every lease, next to
 *       what is written, and refuse a write with a smaller one: a worker that was believed dead cannot overwrite its successor.
 *   <li><b>Ask before.</b> {@link dev.fairlane.sdk.JobContext#checkLease()} just before an outside call stops a worker that
 *       lost its lease in the meantime; {@link dev.fairlane.sdk.JobContext#firstAttempt()} says whether anybody could have
 *       been here before.
 * </ul>
 *
 * The modules {@code fairlane-sdk-jdbc}, {@code -http}, {@code -kafka} and {@code -objects} do this for the usual systems, and
 * {@code fairlane-sdk-testing} shows in a unit test what a second run does.
 *
 * <p>On the other side, a {@linkplain dev.fairlane.sdk.Job#idempotencyKey(String) submit with an idempotency key} can be repeated
 * freely: one key is one job.
 *
 * <p>The SDK logs through {@link java.lang.System.Logger} under {@code dev.fairlane.sdk}. Everything here may be used from any
 * thread, virtual ones included, unless it says otherwise.
 */
@NullMarked
package dev.fairlane.sdk;

import org.jspecify.annotations.NullMarked;
