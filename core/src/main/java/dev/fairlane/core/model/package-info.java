/**
 * The words of the core: what a job is, what may be asked of it, what became true.
 *
 * <p>Everything here is an immutable value. A {@link dev.fairlane.core.model.Command} asks, a
 * {@link dev.fairlane.core.model.Fact} states what is now true (a state image, never an intention, so that replay needs no
 * old logic), an {@link dev.fairlane.core.model.Answer} is what the asker hears once the facts it rests on are durable.
 *
 * <p>Times are microseconds since the epoch in database time, in {@code long} fields whose names end in {@code At};
 * durations are microseconds whose names end in {@code Micros}. Zero means "not set". They come in with the commands: nothing
 * in the core reads a clock.
 */
@NullMarked
package dev.fairlane.core.model;

import org.jspecify.annotations.NullMarked;
