/** What travels between clients, workers and nodes. */
@NullMarked
package dev.fairlane.protocol;

import org.jspecify.annotations.NullMarked;
