package dev.fairlane.core.shard;

import dev.fairlane.core.lease.SeatRing;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.share.FairTree;
import dev.fairlane.core.share.View;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Workers that may run the same jobs of a pool: one view of its tree, and their seats. */
final class Kind {
    /** What makes workers the same. */
    record Signature(int pool, int scope, Set<String> types) {}

    final Signature signature;
    final View view;
    final SeatRing ring;
    int sessions;

    Kind(Signature signature, FairTree tree, long now) {
        this.signature = signature;
        View opened = tree.openView(signature.scope(), signature.types(), now);
        opened.attach(this);
        this.view = opened;
        this.ring = new SeatRing(any -> tree.serve(opened, any));
    }

    static Kind of(View view) {
        return (Kind) Objects.requireNonNull(view.attachment());
    }

    static int scope(@Nullable TenantId scope) {
        return scope == null ? View.ALL_TENANTS : scope.number();
    }
}
