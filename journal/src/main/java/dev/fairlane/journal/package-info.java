/** The port every durable thing goes through. */
@NullMarked
package dev.fairlane.journal;

import org.jspecify.annotations.NullMarked;
