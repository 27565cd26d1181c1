/** From whatever went wrong to a code of the catalogue: refusals are expected and cheap, everything else is logged and hidden. */
@NullMarked
package dev.fairlane.server.fault;

import org.jspecify.annotations.NullMarked;
