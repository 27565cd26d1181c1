/**
 * Who calls, and what they may do.
 *
 * <p>A credential is {@code flk_<id>_<secret>}: the id is public and finds the key, the secret is 256 random bits. Stored is the SHA-256
 * of the whole text only; a fast digest is enough because there is nothing to guess. Keys are few, so
 * {@link dev.fairlane.server.auth.KeyRing} holds all of them; it is read again after every change and every few seconds.
 *
 * <p>The tenant of a call comes from its key. A key without a tenant sees all of them and may name one per call.
 */
@NullMarked
package dev.fairlane.server.auth;

import org.jspecify.annotations.NullMarked;
