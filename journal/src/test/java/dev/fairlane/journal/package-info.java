/** The conformance suite of the port, and what it is made of; published as a test-jar for every implementation. */
@NullMarked
package dev.fairlane.journal;

import org.jspecify.annotations.NullMarked;
