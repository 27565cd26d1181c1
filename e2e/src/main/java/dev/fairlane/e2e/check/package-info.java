/**
 * The outside checker: invariants I1 to I5, I7 and I9 over a {@linkplain dev.fairlane.e2e.history.History history}, which is all it knows.
 * It has no access to the server or its database and believes nothing the server says about itself unless a client or worker heard it.
 *
 * <p>Each invariant is a small class. Each is tested with forged histories it has to refuse.
 */
@NullMarked
package dev.fairlane.e2e.check;

import org.jspecify.annotations.NullMarked;
