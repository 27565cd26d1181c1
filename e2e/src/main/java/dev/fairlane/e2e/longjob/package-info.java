/**
 * Workers for the proof of long jobs, as processes of their own that can be killed and paused: one that counts with checkpoints, and one
 * that does not know when it is dead.
 */
@NullMarked
package dev.fairlane.e2e.longjob;

import org.jspecify.annotations.NullMarked;
