/** Long jobs, with real processes that are killed and paused. */
@org.jspecify.annotations.NullMarked
package dev.fairlane.e2e.longjob;
