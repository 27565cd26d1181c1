package dev.fairlane.core.share;

import dev.fairlane.core.model.ReservedTypes;
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
    private final boolean common;

    /** Slots of its workers that are free, and all. */
    int free;

    int slots;

    /** Crews whose jobs all could run here too, itself included. */
    final List<Crew> standsInFor = new ArrayList<>(1);
    /** The same of all crews that stand in for this one. */
    int freeAround;

    int slotsAround;

    Crew(int scope, Set<String> types, Set<String> tags, Listener listener) {
        this.scope = scope;
        this.types = types;
        this.tags = tags;
        this.listener = listener;
        this.common = isCommon(scope, types);
    }

    /**
     * Whether slots of such workers are the pool's, of which shares, promises and bounds are parts. Workers of one tenant are its own, and
     * those that run only Fairlane's own jobs are the server's: what is idle there could not be anybody's.
     */
    public static boolean isCommon(int scope, Set<String> types) {
        return scope == ALL_TENANTS && types.stream().noneMatch(ReservedTypes::reserved);
    }

    boolean isCommon() {
        return common;
    }

    /** Whether its workers could run whatever those of the other could. */
    boolean covers(Crew other) {
        return types.containsAll(other.types) && tags.containsAll(other.tags);
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
