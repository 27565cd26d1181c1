package dev.fairlane.core.share;

/** An account's place in a heap: one for the root's order by virtual time, one for each view that could run jobs of it. */
final class Member {
    static final int OUT = -1;

    final Account account;
    final AccountHeap heap;
    /** Place in the heap, or {@link #OUT}. */
    int place = OUT;
    /** Lanes with jobs that the view covers; the account is in the heap while there is one. */
    int lanes;

    Member(Account account, AccountHeap heap) {
        this.account = account;
        this.heap = heap;
    }
}
