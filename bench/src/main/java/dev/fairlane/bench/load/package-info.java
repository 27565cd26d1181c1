/**
 * The programs that make load: one client process and one worker process, which use nothing but the SDK. They take orders on standard
 * input and answer on standard output, and end when nobody is there to give orders any more.
 *
 * <p>Times that cross a process are {@link java.lang.System#nanoTime}: on Linux that is the machine's monotonic clock, the same for all.
 */
@NullMarked
package dev.fairlane.bench.load;

import org.jspecify.annotations.NullMarked;
