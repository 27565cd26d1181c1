/**
 * The rules of the house as tests. The build fails when a module looks in a direction the architecture does not allow,
 * when the core stops being pure, or when a file breaks the manners everybody agreed on. An exception to a rule is made
 * here, with its reason, and nowhere else.
 */
@NullMarked
package dev.fairlane.e2e.house;

import org.jspecify.annotations.NullMarked;
