@NullMarked
package dev.fairlane.e2e.launcher;

import org.jspecify.annotations.NullMarked;
