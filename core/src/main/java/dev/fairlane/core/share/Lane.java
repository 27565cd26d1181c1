package dev.fairlane.core.share;

import org.jspecify.annotations.Nullable;

/** A stream of work inside a tenant, or inside a part of it, in one pool. */
public final class Lane {
    private final Account account;
    private final String name;
    /** Null where the jobs name no part. */
    final @Nullable Part part;

    final Node node;

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

    public Node node() {
        return node;
    }
}
