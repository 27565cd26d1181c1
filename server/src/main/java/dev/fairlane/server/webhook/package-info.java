/**
 * Webhooks: telling an address that a job ended.
 *
 * <p>The core submits a job of the type {@code fairlane.webhook} in the same step in which a job with a webhook ends, so the news is as
 * durable as the end itself, and waits, retries, dies and shares slots as every job does. {@link WebhookWorker} is the worker that runs
 * them: a session on the node like any other, inside the server.
 *
 * <p>What a stranger may make the server call is limited twice. {@link WebhookRules} looks at the address when the job is submitted; at
 * the delivery the name is resolved once, every address found is checked, and the connection goes to one of exactly these, so a name that
 * changes its mind in between gains nothing. Redirects are not followed, and of an answer only its status is kept.
 */
@NullMarked
package dev.fairlane.server.webhook;

import org.jspecify.annotations.NullMarked;
