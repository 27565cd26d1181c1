/** The edges of a node. */
@NullMarked
package dev.fairlane.server;

import org.jspecify.annotations.NullMarked;
