/** What the guides show is true. */
@org.jspecify.annotations.NullMarked
package dev.fairlane.e2e.docs;
