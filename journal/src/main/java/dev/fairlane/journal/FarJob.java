package dev.fairlane.journal;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;

/**
 * An open job that was stored to be left out of memory until shortly before it is due.
 *
 * @param spec with its payload if it is {@code whole}, otherwise as told at a recovery
 * @param status the newest image
 * @param wakeAt when time next does something to it
 */
public record FarJob(JobSpec spec, JobStatus status, long wakeAt, boolean whole) {
    /** Whether a look that goes on there meets it. */
    public boolean isBehind(FarPortion.Place place) {
        JobId last = place.id();
        return wakeAt > place.wakeAt()
                || last != null && wakeAt == place.wakeAt() && spec.id().compareTo(last) > 0;
    }
}
