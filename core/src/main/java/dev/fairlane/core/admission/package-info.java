/** What may come in: who the tenants are, which types they have, and whether and as what a submitted job is taken. */
@NullMarked
package dev.fairlane.core.admission;

import org.jspecify.annotations.NullMarked;
