/** How long tests wait for what must come: long enough for a machine that does much else. */
@NullMarked
package dev.fairlane.patience;

import org.jspecify.annotations.NullMarked;
