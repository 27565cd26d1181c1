package dev.fairlane.core.share;

import org.jspecify.annotations.Nullable;

/**
 * A stream of work inside a tenant, or inside a part of it, in one pool.
 *
 * <p>Most tenants have but one: it competes with nobody, so it has no node of its own and its queues hang at the tenant's. It gets one when
 * it gets a sibling, or is held back by itself. From that moment on its use is counted: before, there was nobody to share with.
 */
public final class Lane {
    private final Account account;
    private final String name;
    /** Null where the jobs name no part. */
    final @Nullable Part part;

    Node node;
    /** The next lane of the account or part. */
    @Nullable Lane next;

    Lane(Account account, String name, @Nullable Part part, Node node) {
        this.account = account;
        this.name = name;
        this.part = part;
        this.node = node;
    }

    public Account account() {
        return account;
    }

    public String name() {
        return name;
    }

    /** Its own, or its tenant's while it is the only one. */
    public Node node() {
        return node;
    }

    boolean alone() {
        return node == account.node;
    }
}
