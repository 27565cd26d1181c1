/** Time as an input: deadlines are kept here, nobody is woken, the caller asks what is due. */
@NullMarked
package dev.fairlane.core.time;

import org.jspecify.annotations.NullMarked;
