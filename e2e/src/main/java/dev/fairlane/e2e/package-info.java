/** Real processes under test. */
@NullMarked
package dev.fairlane.e2e;

import org.jspecify.annotations.NullMarked;
