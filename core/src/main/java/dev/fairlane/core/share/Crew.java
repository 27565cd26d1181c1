package dev.fairlane.core.share;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Workers that may run the same jobs of a pool: one view for each requirement that such jobs have. */
public final class Crew {
    /** Scope of workers that may run every tenant's jobs. */
    public static final int ALL_TENANTS = -1;

    /** Hears of the views of a crew, to say whether they are served. */
    public interface Listener {
        void opened(View view);

        void closed(View view);

        /** Jobs came or went, or room did, in a view whose jobs demand resources. */
        void judged(View view, long now);
    }

    final int scope;
    final Set<String> types;
    final Set<String> tags;
    final Listener listener;
    final List<View> views = new ArrayList<>(1);

    Crew(int scope, Set<String> types, Set<String> tags, Listener listener) {
        this.scope = scope;
        this.types = types;
        this.tags = tags;
        this.listener = listener;
    }

    boolean isWide() {
        return scope == ALL_TENANTS;
    }

    boolean has(Requirement requirement) {
        return requirement.tags().isEmpty() || tags.containsAll(requirement.tags());
    }

    @Nullable View view(Requirement requirement) {
        for (int i = 0; i < views.size(); i++) {
            if (views.get(i).requirement() == requirement) {
                return views.get(i);
            }
        }
        return null;
    }
}
