/**
 * What was seen from outside: the calls a client made and what it heard, the attempts workers ran, the faults that were thrown in.
 *
 * <p>Every process writes a file of its own, one {@linkplain dev.fairlane.e2e.history.Event event} a line, and goes on only when the
 * line is on the disk. An event that says something is about to be done is written before it is done; one that says what was heard is
 * written before anything is built on it. So whatever is killed, the history never claims less than what others may have seen.
 *
 * <p>Times are nanoseconds of the machine's monotonic clock, which all processes of one machine share.
 */
@NullMarked
package dev.fairlane.e2e.history;

import org.jspecify.annotations.NullMarked;
