/** The Java client and worker. */
@NullMarked
package dev.fairlane.sdk;

import org.jspecify.annotations.NullMarked;
