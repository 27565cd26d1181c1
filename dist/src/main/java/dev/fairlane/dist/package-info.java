/**
 * Where everything is wired together by hand, in the order it starts: configuration, database, journal, node, edges. It stops in the
 * other direction, except that the node stops before the edges, so that workers and callers hear of it.
 */
@NullMarked
package dev.fairlane.dist;

import org.jspecify.annotations.NullMarked;
