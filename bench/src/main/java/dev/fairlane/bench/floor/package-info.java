/**
 * The raw limit: what PostgreSQL, its driver and this machine give when nobody decides, shares, leases or talks to anybody. The same
 * journal bytes go through the same append, and the same rows through the same COPY into the same tables, in two loops beside each
 * other, as the product's commit and projection do it.
 *
 * <p>Left out is everything around: encoding of facts (the bytes are made once), hashing, replies, network. Kept is what belongs to the
 * writing itself: the fence, the transaction, the making of rows, the upkeep of the ring.
 */
@NullMarked
package dev.fairlane.bench.floor;

import org.jspecify.annotations.NullMarked;
