package dev.fairlane.core.shard;

import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.KeyName;
import dev.fairlane.core.model.NewJob;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys in memory, idempotency keys and others by their names: (tenant, name) → job, digest of the body, time of the submit.
 *
 * <p>A key is kept as 128 bits of digest, compared together with its tenant: two keys of one tenant meeting by chance is beyond
 * 10⁻²³ with all entries in use, and a tenant that forges two only deceives itself. Entries are in the order in which they were
 * last touched, by the submit or by the end of the job, so those that may go are at the front; one whose job is still open is set
 * aside until the job ends. Whether a key still counts is decided by its time and its job, not by when it leaves memory.
 */
final class KeyTable implements SlotIndex.Keys {
    static final int NONE = -1;

    private static final int PAGE_BITS = SlotPages.BITS;
    private static final int PAGE = SlotPages.SLOTS;
    private static final int MASK = SlotPages.MASK;

    private static final int CHARS_OF_A_LONG = Long.SIZE / Character.SIZE;

    private static final int LONGS = 7;
    private static final int FIRST = 0;
    private static final int SECOND = 1;
    private static final int HI = 2;
    private static final int LO = 3;
    private static final int BODY = 4;
    private static final int SUBMITTED_AT = 5;
    /** When it was last worth keeping: its submit, or the end of its job. */
    private static final int TOUCHED_AT = 6;

    private static final int INTS = 4;
    private static final int TENANT = 0;
    private static final int NEXT = 1;
    private static final int PREVIOUS = 2;
    /** How the job ended (ordinal + 1), or whether it is set aside. */
    private static final int MARK = 3;

    /** Far less than keys are kept. */
    private static final long SOON_MICROS = 2_000_000;

    private static final int OPEN_OR_UNKNOWN = 0;
    private static final int SET_ASIDE = -1;
    /** Not linked from its job's slot: what became of the job is looked up when somebody asks. */
    private static final int UNIQUE = -2;
    /** Set aside, its job open and in the store alone. */
    private static final int FAR = -3;

    private long[][] longs = new long[16][];
    private int[][] ints = new int[16][];
    private final SlotPages slots = new SlotPages(this::makePage, this::dropPage);
    private int size;
    /** By tenant. */
    private int[] sizes = new int[16];

    private int oldest = NONE;
    private int newest = NONE;
    private final SlotIndex index = new SlotIndex(this);
    private final KeyFilters filters;

    // the key last asked for: its tenant and digest. A submit asks three times for the same one.
    private int asked = NONE;
    private @Nullable String askedKey;
    private long first;
    private long second;
    private long[] glanced = {};

    /** @param filters take the keys that leave */
    KeyTable(KeyFilters filters) {
        this.filters = filters;
    }

    int size() {
        return size;
    }

    /** Keys of the tenant. */
    int size(int tenant) {
        return tenant < sizes.length ? sizes[tenant] : 0;
    }

    int find(int tenant, String key) {
        ask(tenant, key);
        return index.find(first);
    }

    /**
     * Reads where the keys would be found, so that they are near when they are asked for one by one: all digests first, so that the processor waits for
     * many of those places side by side.
     *
     * @return nothing of meaning
     */
    long glance(int tenant, List<NewJob> jobs, int from, int to) {
        if (glanced.length < to - from) {
            glanced = new long[to - from];
        }
        int count = 0;
        for (int i = from; i < to; i++) {
            String key = jobs.get(i).idempotencyKey();
            if (!key.isEmpty()) {
                ask(tenant, key);
                glanced[count++] = first;
            }
        }
        long seen = 0;
        for (int i = 0; i < count; i++) {
            seen ^= index.glance(glanced[i]);
        }
        return seen;
    }

    @SuppressWarnings("ReferenceEquality") // equal ones that are not the same only cost another digest
    private void ask(int tenant, String key) {
        if (key != askedKey || tenant != asked) {
            digest(tenant, key);
            asked = tenant;
            askedKey = key;
        }
    }

    /** Digest of the key last asked for, as filters know it. */
    long askedDigest() {
        return first;
    }

    /** A stored key whose entry stays in the store. */
    void loadSealed(int tenant, String key, long submittedAt) {
        ask(tenant, key);
        filters.load(first, submittedAt);
    }

    /** The stored key of a dead job. */
    void loadDead(int tenant, String key, long endedAt) {
        ask(tenant, key);
        filters.addDead(first, endedAt);
    }

    @Override
    public boolean matches(int slot) {
        return get(slot, SECOND) == second && tenant(slot) == asked;
    }

    /** Remembers a stored key, unless a later submit of it is known. */
    void load(int tenant, String key, long hi, long lo, long bodyHash, long submittedAt) {
        int known = find(tenant, key);
        if (known == NONE
                || submittedAt(known) < submittedAt
                || submittedAt(known) == submittedAt && Long.compareUnsigned(lo(known), lo) < 0) {
            put(tenant, key, hi, lo, bodyHash, submittedAt);
        }
    }

    /** Remembers a key, in place of what it meant before. */
    int put(int tenant, String key, long hi, long lo, long bodyHash, long submittedAt) {
        int known = find(tenant, key);
        if (known != NONE) {
            if (hi(known) == hi && lo(known) == lo) {
                if (getInt(known, MARK) > 0) {
                    // its job was replayed
                    setInt(known, MARK, OPEN_OR_UNKNOWN);
                } else if (far(known)) {
                    setInt(known, MARK, SET_ASIDE);
                }
                return known;
            }
            remove(known);
        }
        int entry = slots.take();
        set(entry, FIRST, first);
        set(entry, SECOND, second);
        set(entry, HI, hi);
        set(entry, LO, lo);
        set(entry, BODY, bodyHash);
        set(entry, SUBMITTED_AT, submittedAt);
        set(entry, TOUCHED_AT, submittedAt);
        setInt(entry, TENANT, tenant);
        setInt(entry, MARK, KeyName.isUnique(key) ? UNIQUE : OPEN_OR_UNKNOWN);
        append(entry);
        filters.expect(submittedAt);
        index.add(entry);
        size++;
        if (tenant >= sizes.length) {
            sizes = Arrays.copyOf(sizes, Math.max(tenant + 1, sizes.length / 2 * 3));
        }
        sizes[tenant]++;
        return entry;
    }

    /** The entry's job came to its end. Soon after its submit it keeps its place among those that may go: most do, and its neighbours lie far apart. */
    void ended(int entry, JobState state, long at) {
        int mark = getInt(entry, MARK);
        setInt(entry, MARK, state.ordinal() + 1);
        if (mark == OPEN_OR_UNKNOWN && state != JobState.DEAD && at - get(entry, TOUCHED_AT) <= SOON_MICROS) {
            return;
        }
        if (mark != SET_ASIDE) {
            unlink(entry);
        }
        set(entry, TOUCHED_AT, at);
        append(entry);
    }

    /** The entry's job leaves memory and stays open: the key is kept until it ends. */
    void depart(int entry) {
        if (getInt(entry, MARK) != SET_ASIDE) {
            unlink(entry);
        }
        setInt(entry, MARK, FAR);
    }

    /** The key of a job that is open and in the store alone. */
    void loadFar(int tenant, String key, long hi, long lo, long bodyHash, long submittedAt) {
        int entry = put(tenant, key, hi, lo, bodyHash, submittedAt);
        if (!far(entry)) {
            depart(entry);
        }
    }

    /** Whether the entry's job is open and in the store alone. */
    boolean far(int entry) {
        return getInt(entry, MARK) == FAR;
    }

    /** How the job ended; null while it is open, or when it ended before this start. */
    @Nullable JobState end(int entry) {
        int mark = getInt(entry, MARK);
        return mark > 0 ? JobState.of(mark - 1) : null;
    }

    /** Hands up to {@code max} entries last touched up to {@code until} over to the filters; those of open jobs stay. */
    void seal(long until, long now, JobSlots jobs, int max) {
        for (int i = 0; i < max && oldest != NONE && get(oldest, TOUCHED_AT) <= until; i++) {
            int entry = oldest;
            int slot = jobs.find(lo(entry));
            if (slot != NONE && getInt(entry, MARK) == UNIQUE) {
                unlink(entry);
                set(entry, TOUCHED_AT, now);
                append(entry);
            } else if (slot != NONE && jobs.keyEntry(slot) == entry) {
                unlink(entry);
                setInt(entry, MARK, SET_ASIDE);
            } else {
                filters.add(get(entry, FIRST), submittedAt(entry));
                if (end(entry) == JobState.DEAD) {
                    filters.addDead(get(entry, FIRST), get(entry, TOUCHED_AT));
                }
                remove(entry);
            }
        }
    }

    /** Lets up to {@code max} entries last touched up to {@code until} go for good. */
    void forget(long until, int max) {
        for (int i = 0; i < max && oldest != NONE && get(oldest, TOUCHED_AT) <= until; i++) {
            remove(oldest);
        }
    }

    /** Lets the entry go that was touched before all others. */
    void forgetOldest() {
        remove(oldest);
    }

    int tenant(int entry) {
        return getInt(entry, TENANT);
    }

    long hi(int entry) {
        return get(entry, HI);
    }

    long lo(int entry) {
        return get(entry, LO);
    }

    long bodyHash(int entry) {
        return get(entry, BODY);
    }

    long submittedAt(int entry) {
        return get(entry, SUBMITTED_AT);
    }

    long digestHi(int entry) {
        return get(entry, FIRST);
    }

    long digestLo(int entry) {
        return get(entry, SECOND);
    }

    int bound() {
        return slots.bound();
    }

    /** Pages in memory. */
    int pages() {
        return slots.pages();
    }

    boolean isUsed(int entry) {
        return longs[entry >>> PAGE_BITS] != null && lo(entry) != 0;
    }

    @Override
    public long key(int slot) {
        return get(slot, FIRST);
    }

    private void digest(int tenant, String key) {
        long a = 0x243F6A8885A308D3L ^ tenant * 0x9E3779B97F4A7C15L;
        long b = 0x13198A2E03707344L + key.length();
        int length = key.length();
        for (int i = 0; i < length; i += CHARS_OF_A_LONG) {
            long c = chars(key, i, Math.min(CHARS_OF_A_LONG, length - i));
            a = Long.rotateLeft((a ^ c) * 0xC2B2AE3D27D4EB4FL, 29);
            b = (Long.rotateLeft(b, 31) + mix(c) * 0x165667B19E3779F9L) * 0x9FB21C651E98DF25L;
        }
        first = mix(a + Long.rotateLeft(b, 17));
        second = mix(b ^ first * 0xD6E8FEB86659FD93L);
    }

    private static long chars(String key, int from, int count) {
        long c = 0;
        for (int i = 0; i < count; i++) {
            c = c << Character.SIZE | key.charAt(from + i);
        }
        return c;
    }

    private static long mix(long value) {
        long v = (value ^ value >>> 33) * 0xFF51AFD7ED558CCDL;
        v = (v ^ v >>> 33) * 0xC4CEB9FE1A85EC53L;
        return v ^ v >>> 33;
    }

    private void remove(int entry) {
        if (getInt(entry, MARK) != SET_ASIDE && !far(entry)) {
            unlink(entry);
        }
        index.remove(entry);
        set(entry, LO, 0);
        size--;
        sizes[tenant(entry)]--;
        slots.giveBack(entry);
    }

    private void append(int entry) {
        setInt(entry, PREVIOUS, newest);
        setInt(entry, NEXT, NONE);
        if (newest == NONE) {
            oldest = entry;
        } else {
            setInt(newest, NEXT, entry);
        }
        newest = entry;
    }

    private void unlink(int entry) {
        int before = getInt(entry, PREVIOUS);
        int after = getInt(entry, NEXT);
        if (before == NONE) {
            oldest = after;
        } else {
            setInt(before, NEXT, after);
        }
        if (after == NONE) {
            newest = before;
        } else {
            setInt(after, PREVIOUS, before);
        }
    }

    private void makePage(int page) {
        if (page == longs.length) {
            longs = Arrays.copyOf(longs, page * 2);
            ints = Arrays.copyOf(ints, page * 2);
        }
        longs[page] = new long[LONGS * PAGE];
        ints[page] = new int[INTS * PAGE];
    }

    @SuppressWarnings("NullAway") // nobody has an entry of it any more
    private void dropPage(int page) {
        longs[page] = null;
        ints[page] = null;
    }

    private long get(int entry, int field) {
        return longs[entry >>> PAGE_BITS][(entry & MASK) * LONGS + field];
    }

    private void set(int entry, int field, long value) {
        longs[entry >>> PAGE_BITS][(entry & MASK) * LONGS + field] = value;
    }

    private int getInt(int entry, int field) {
        return ints[entry >>> PAGE_BITS][(entry & MASK) * INTS + field];
    }

    private void setInt(int entry, int field, int value) {
        ints[entry >>> PAGE_BITS][(entry & MASK) * INTS + field] = value;
    }
}
