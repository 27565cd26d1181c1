/** Where everything is wired together by hand. */
@NullMarked
package dev.fairlane.dist;

import org.jspecify.annotations.NullMarked;
