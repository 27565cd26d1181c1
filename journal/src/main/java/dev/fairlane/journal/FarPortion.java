package dev.fairlane.journal;

import dev.fairlane.core.model.JobId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The next far jobs in the order of {@code wakeAt} and id.
 *
 * @param nextAt the {@code wakeAt} of the first job behind the portion, of whatever tenant, {@code Long.MAX_VALUE} if there is none
 */
public record FarPortion(List<FarJob> jobs, long nextAt) {

    /**
     * Where to go on.
     *
     * @param id null: behind all that wake up at that time or before
     */
    public record Place(long wakeAt, @Nullable JobId id) {
        public static final Place BEGIN = new Place(Long.MIN_VALUE, null);
    }
}
