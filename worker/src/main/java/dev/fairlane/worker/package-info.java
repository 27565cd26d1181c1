/** The ready-made worker. */
@NullMarked
package dev.fairlane.worker;

import org.jspecify.annotations.NullMarked;
