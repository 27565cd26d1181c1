@NullMarked
package dev.fairlane.e2e.check;

import org.jspecify.annotations.NullMarked;
