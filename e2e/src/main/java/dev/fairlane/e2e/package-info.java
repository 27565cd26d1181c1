/** Real processes, real PostgreSQL, faults, and a checker that only believes what was seen from outside. */
@NullMarked
package dev.fairlane.e2e;

import org.jspecify.annotations.NullMarked;
