/** Not part of the API: may change in any release. */
@NullMarked
package dev.fairlane.sdk.internal;

import org.jspecify.annotations.NullMarked;
