@NullMarked
package dev.fairlane.e2e.history;

import org.jspecify.annotations.NullMarked;
