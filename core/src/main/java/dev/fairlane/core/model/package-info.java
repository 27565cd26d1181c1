/** The words of the platform as values: ids, jobs, states, commands, records, effects. */
@NullMarked
package dev.fairlane.core.model;

import org.jspecify.annotations.NullMarked;
