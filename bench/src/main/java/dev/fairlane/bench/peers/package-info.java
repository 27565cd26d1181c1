/**
 * Other job libraries under the same load, on a PostgreSQL of the same version with the same settings, in turns with Fairlane. What they run
 * is in {@code bench/peers}: it is fetched and built when it is needed, into {@code bench/target}, and never on a class path of ours.
 *
 * <p>A fast figure says little without what it buys, so every peer stands with what it keeps and promises.
 */
@NullMarked
package dev.fairlane.bench.peers;

import org.jspecify.annotations.NullMarked;
