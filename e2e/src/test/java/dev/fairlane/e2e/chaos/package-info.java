@NullMarked
package dev.fairlane.e2e.chaos;

import org.jspecify.annotations.NullMarked;
