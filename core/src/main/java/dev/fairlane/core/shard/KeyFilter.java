package dev.fairlane.core.shard;

/**
 * Says of a digest "never put in" or "perhaps": a blocked Bloom filter (Putze, Sanders, Singler: Cache-, Hash- and Space-Efficient Bloom
 * Filters, 2007). All bits of a digest lie in one cache line, so asking costs one miss of the cache.
 *
 * <p>A submit asks one filter per hour of a day, so each may be wrong only rarely: with 16 bits a key and 8 of them set about one
 * answer in 1,000 is a needless "perhaps".
 */
final class KeyFilter {
    private static final int BITS_PER_KEY = 16;
    private static final int LONGS_PER_BLOCK = 8;
    private static final int BLOCK_BITS = LONGS_PER_BLOCK * Long.SIZE;
    private static final int PROBES = 8;
    private static final int MAX_BLOCKS = 1 << 24;

    private final long[] bits;
    private final int blocks;

    /** @param keys about how many there will be; more only make it wrong more often */
    KeyFilter(long keys) {
        blocks = (int) Math.clamp(keys * BITS_PER_KEY / BLOCK_BITS + 1, 1, MAX_BLOCKS);
        bits = new long[blocks * LONGS_PER_BLOCK];
    }

    void add(long digest) {
        int block = block(digest);
        long probes = probes(digest);
        for (int i = 0; i < PROBES; i++, probes >>>= 7) {
            // seven bits choose among 128 places of the four words that this probe may touch
            int place = (int) (probes & 127) + (i & 3) * 128;
            bits[block + (place >>> 6)] |= 1L << place;
        }
    }

    boolean mayHave(long digest) {
        int block = block(digest);
        long probes = probes(digest);
        for (int i = 0; i < PROBES; i++, probes >>>= 7) {
            int place = (int) (probes & 127) + (i & 3) * 128;
            if ((bits[block + (place >>> 6)] & 1L << place) == 0) {
                return false;
            }
        }
        return true;
    }

    int bytes() {
        return bits.length * Long.BYTES;
    }

    private int block(long digest) {
        return (int) Math.multiplyHigh(digest >>> 1, (long) blocks << 1) * LONGS_PER_BLOCK;
    }

    /** 56 bits that do not depend on those that chose the block. */
    private static long probes(long digest) {
        long bits = digest * 0x9FB21C651E98DF25L;
        return (bits ^ bits >>> 28) * 0xD6E8FEB86659FD93L >>> 8;
    }
}
