/** Pure decisions; see the packages below, which meet only in {@code shard}. */
@NullMarked
package dev.fairlane.core;

import org.jspecify.annotations.NullMarked;
