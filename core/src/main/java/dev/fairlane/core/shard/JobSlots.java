package dev.fairlane.core.shard;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobMarks;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.outcome.Images;
import dev.fairlane.core.share.WaitingJobs;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The open jobs. A slot is three longs, five ints and two references in pages, and five more numbers where the jobs of its page do not have
 * them in common; growing adds a page and copies nothing, and pages that are empty go.
 *
 * <p>The image of a job that was never leased is made from its numbers when asked for; from the first lease on the newest image
 * itself is kept. The spec is there until it is evicted; what decisions need of it is in the numbers.
 */
final class JobSlots implements WaitingJobs, SlotIndex.Keys {
    static final int NONE = -1;

    private static final int PAGE_BITS = SlotPages.BITS;
    private static final int PAGE = SlotPages.SLOTS;
    private static final int MASK = SlotPages.MASK;

    private static final int LONGS = 3;
    private static final int HI = 0;
    private static final int LO = 1;
    /** When it was queued, or is due. */
    private static final int AT = 2;

    private static final int INTS = 5;
    private static final int QUEUE = 0;
    private static final int BITS = 1;
    private static final int HOLD = 2;
    private static final int KEY = 3;
    /** What its spec weighs, so that nobody has to look at it again to forget it. */
    private static final int WEIGHT = 4;

    private static final int STATE_MASK = 0xF;
    private static final int PRIORITY_SHIFT = 4;
    /** Set while the job is in its lane's list. */
    private static final int IN_LANE = 1 << 8;

    private static final int MAX_ATTEMPTS_SHIFT = 16;

    private static final class Page {
        final long[] longs = new long[LONGS * PAGE];
        final int[] ints = new int[INTS * PAGE];
        final @Nullable JobSpec[] specs = new JobSpec[PAGE];
        /** When it was changed, after {@link #AT}; of one that has no image. */
        final EvenLongs changedAfter = new EvenLongs();

        final EvenLongs notAfter = new EvenLongs();
        final EvenLongs timeLimit = new EvenLongs();
        /** Too old so long after {@link #AT}. */
        final EvenLongs ageEnd = new EvenLongs();

        final EvenLongs revision = new EvenLongs();

        @Nullable JobStatus @Nullable [] images;

        @Nullable JobStatus image(int slot) {
            return images == null ? null : images[slot & MASK];
        }

        void setImage(int slot, @Nullable JobStatus image) {
            if (images == null && image != null) {
                images = new JobStatus[PAGE];
            }
            if (images != null) {
                images[slot & MASK] = image;
            }
        }
    }

    /** Has other things about slots, which may go with a page. */
    interface Companion {
        /** None of these slots is in use. */
        void forget(int first, int count);
    }

    private Page[] pages = new Page[16];
    private final SlotPages slots = new SlotPages(this::makePage, this::dropPage);
    private final Companion companion;
    private int size;
    private long residentBytes;
    private final SlotIndex index = new SlotIndex(this);
    /** Found last: who decides about a job finds it, and who applies the decision finds it again. */
    private int last = NONE;

    JobSlots(Companion companion) {
        this.companion = companion;
    }

    int size() {
        return size;
    }

    /** Beyond are no slots in use. */
    int bound() {
        return slots.bound();
    }

    /** Pages in memory. */
    int pages() {
        return slots.pages();
    }

    int find(JobId id) {
        int slot = find(id.lo());
        return slot != NONE && hi(slot) == id.hi() ? slot : NONE;
    }

    int find(long lo) {
        if (last != NONE && lo(last) == lo) {
            return last;
        }
        int slot = index.find(lo);
        last = slot;
        return slot;
    }

    /** The job is asked for next. */
    void expect(int slot) {
        last = slot;
    }

    int add(JobSpec spec, JobStatus status, int queue) {
        JobId id = spec.id();
        if (index.find(id.lo()) != NONE) {
            throw new IllegalStateException("expected a new job, but " + id + " is here already");
        }
        int slot = slots.take();
        Page page = pages[slot >>> PAGE_BITS];
        int at = (slot & MASK) * LONGS;
        page.longs[at + HI] = id.hi();
        page.longs[at + LO] = id.lo();
        page.longs[at + AT] = atOf(status);
        int ints = (slot & MASK) * INTS;
        page.ints[ints + BITS] = 0;
        setNumbers(slot, spec, queue);
        page.ints[ints + HOLD] = NONE;
        page.ints[ints + KEY] = NONE;
        setStatus(slot, status);
        index.add(slot);
        size++;
        return slot;
    }

    /** What decisions need of a spec. */
    void setNumbers(int slot, JobSpec spec, int queue) {
        Page page = pages[slot >>> PAGE_BITS];
        boolean alone = slots.alone(slot);
        page.notAfter.set(slot & MASK, spec.notAfter(), alone);
        page.timeLimit.set(slot & MASK, spec.timeLimitMicros(), alone);
        page.revision.set(slot & MASK, spec.terms().revision(), alone);
        int ints = (slot & MASK) * INTS;
        page.ints[ints + QUEUE] = queue;
        page.ints[ints + BITS] = page.ints[ints + BITS] & (STATE_MASK | IN_LANE)
                | spec.priority() << PRIORITY_SHIFT
                | Math.min(spec.maxAttempts(), 0xFFFF) << MAX_ATTEMPTS_SHIFT;
    }

    private void makePage(int page) {
        if (page == pages.length) {
            pages = Arrays.copyOf(pages, page * 2);
        }
        pages[page] = new Page();
    }

    @SuppressWarnings("NullAway") // nobody has a slot of it any more
    private void dropPage(int page) {
        pages[page] = null;
        companion.forget(page << PAGE_BITS, PAGE);
    }

    void remove(int slot) {
        index.remove(slot);
        last = NONE;
        Page page = pages[slot >>> PAGE_BITS];
        setSpec(slot, null);
        page.setImage(slot, null);
        page.longs[(slot & MASK) * LONGS + LO] = 0;
        size--;
        slots.giveBack(slot);
    }

    void setStatus(int slot, JobStatus status) {
        Page page = pages[slot >>> PAGE_BITS];
        JobState state = status.state();
        setAt(slot, atOf(status));
        int bits = (slot & MASK) * INTS + BITS;
        page.ints[bits] = page.ints[bits] & ~STATE_MASK | state.ordinal();
        boolean fresh = fresh(status);
        page.setImage(slot, fresh ? null : status);
        if (fresh) {
            page.changedAfter.set(slot & MASK, status.changedAt() - at(slot), slots.alone(slot));
        }
    }

    private static long atOf(JobStatus status) {
        JobState state = status.state();
        return state == JobState.SCHEDULED || state == JobState.RETRY_WAIT ? status.dueAt() : status.queuedAt();
    }

    /** Numbers that are kept as a distance from this one keep their values. */
    private void setAt(int slot, long at) {
        long was = at(slot);
        if (at != was) {
            long ageEnd = ageEnd(slot);
            pages[slot >>> PAGE_BITS].longs[(slot & MASK) * LONGS + AT] = at;
            setAgeEnd(slot, ageEnd);
        }
    }

    /** Whether the image can be made again from the slot's numbers. */
    private static boolean fresh(JobStatus status) {
        return status.execution() == 0
                && (status.state() == JobState.QUEUED && status.dueAt() == 0
                        || status.state() == JobState.SCHEDULED && status.queuedAt() == 0)
                && status.attempts().isEmpty()
                && !status.cancelRequested()
                && status.marks() == JobMarks.NONE;
    }

    JobStatus status(int slot) {
        JobStatus image = pages[slot >>> PAGE_BITS].image(slot);
        if (image != null) {
            return image;
        }
        long at = at(slot);
        long changedAt = at + pages[slot >>> PAGE_BITS].changedAfter.get(slot & MASK);
        return state(slot) == JobState.QUEUED ? Images.queued(at, changedAt) : Images.scheduled(at, changedAt);
    }

    /** The image, where it cannot be made from the numbers: null for one that was never leased and is as it was submitted. */
    @Nullable JobStatus image(int slot) {
        return pages[slot >>> PAGE_BITS].image(slot);
    }

    /** The image that is kept of a job that was leased. */
    JobStatus leasedStatus(int slot) {
        JobStatus image = pages[slot >>> PAGE_BITS].image(slot);
        if (image == null) {
            throw new IllegalStateException("expected a leased job in slot " + slot + ", but it is " + state(slot));
        }
        return image;
    }

    /** What the job's last failure named as its cause, empty for none. */
    String blamed(int slot) {
        JobStatus image = pages[slot >>> PAGE_BITS].image(slot);
        return image == null ? "" : image.marks().dependency();
    }

    JobId id(int slot) {
        return new JobId(hi(slot), lo(slot));
    }

    @Nullable JobSpec spec(int slot) {
        return pages[slot >>> PAGE_BITS].specs[slot & MASK];
    }

    void setSpec(int slot, @Nullable JobSpec spec) {
        @Nullable JobSpec[] specs = pages[slot >>> PAGE_BITS].specs;
        int[] ints = pages[slot >>> PAGE_BITS].ints;
        int at = (slot & MASK) * INTS + WEIGHT;
        int weight = spec == null ? 0 : spec.weight();
        residentBytes += weight - ints[at];
        ints[at] = weight;
        specs[slot & MASK] = spec;
    }

    /** Payload bytes of the specs in memory, with a fixed part for each spec. */
    long residentBytes() {
        return residentBytes;
    }

    boolean isUsed(int slot) {
        return pages[slot >>> PAGE_BITS] != null && lo(slot) != 0;
    }

    JobState state(int slot) {
        return JobState.of(ints(slot, BITS) & STATE_MASK);
    }

    @Override
    public int priority(int slot) {
        return ints(slot, BITS) >>> PRIORITY_SHIFT & 0xF;
    }

    int maxAttempts(int slot) {
        return ints(slot, BITS) >>> MAX_ATTEMPTS_SHIFT;
    }

    boolean inLane(int slot) {
        return (ints(slot, BITS) & IN_LANE) != 0;
    }

    void setInLane(int slot, boolean in) {
        int[] ints = pages[slot >>> PAGE_BITS].ints;
        int at = (slot & MASK) * INTS + BITS;
        ints[at] = in ? ints[at] | IN_LANE : ints[at] & ~IN_LANE;
    }

    int revision(int slot) {
        return (int) pages[slot >>> PAGE_BITS].revision.get(slot & MASK);
    }

    int queue(int slot) {
        return ints(slot, QUEUE);
    }

    int hold(int slot) {
        return ints(slot, HOLD);
    }

    void setHold(int slot, int hold) {
        pages[slot >>> PAGE_BITS].ints[(slot & MASK) * INTS + HOLD] = hold;
    }

    int keyEntry(int slot) {
        return ints(slot, KEY);
    }

    void setKeyEntry(int slot, int entry) {
        pages[slot >>> PAGE_BITS].ints[(slot & MASK) * INTS + KEY] = entry;
    }

    long hi(int slot) {
        return longs(slot, HI);
    }

    long lo(int slot) {
        return longs(slot, LO);
    }

    long at(int slot) {
        return longs(slot, AT);
    }

    long notAfter(int slot) {
        return pages[slot >>> PAGE_BITS].notAfter.get(slot & MASK);
    }

    /** When it is too old to wait any longer. */
    long ageEnd(int slot) {
        return at(slot) + pages[slot >>> PAGE_BITS].ageEnd.get(slot & MASK);
    }

    void setAgeEnd(int slot, long ageEnd) {
        pages[slot >>> PAGE_BITS].ageEnd.set(slot & MASK, ageEnd - at(slot), slots.alone(slot));
    }

    long timeLimitMicros(int slot) {
        return pages[slot >>> PAGE_BITS].timeLimit.get(slot & MASK);
    }

    @Override
    public long queuedAt(int slot) {
        return longs(slot, AT);
    }

    @Override
    public long sequence(int slot) {
        return longs(slot, LO);
    }

    @Override
    public long key(int slot) {
        return longs(slot, LO);
    }

    private long longs(int slot, int field) {
        return pages[slot >>> PAGE_BITS].longs[(slot & MASK) * LONGS + field];
    }

    private int ints(int slot, int field) {
        return pages[slot >>> PAGE_BITS].ints[(slot & MASK) * INTS + field];
    }
}
