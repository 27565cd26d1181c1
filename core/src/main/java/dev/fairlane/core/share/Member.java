package dev.fairlane.core.share;

import org.jspecify.annotations.Nullable;

/** An account's place in a view: in its order by key while it has a job for the view, and in the view's clock. */
final class Member {
    static final int OUT = -1;

    final Account account;
    final View view;
    /** Null in views of one tenant, where nobody competes. */
    final @Nullable Member inClock;
    /** Place in the heap, or {@link #OUT}. */
    int place = OUT;
    /** Lanes with jobs that the view covers; the account is in the heaps while there is one. */
    int lanes;

    private Member(Account account, View view, @Nullable Member inClock) {
        this.account = account;
        this.view = view;
        this.inClock = inClock;
    }

    static Member of(Account account, View view) {
        Member inClock = view.clock == null ? null : new Member(account, view, null);
        return new Member(account, view, inClock);
    }
}
