/** The journal on PostgreSQL. */
@NullMarked
package dev.fairlane.journal.postgres;

import org.jspecify.annotations.NullMarked;
