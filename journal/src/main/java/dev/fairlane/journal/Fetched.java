package dev.fairlane.journal;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import java.util.List;
import java.util.Map;

/**
 * Specs that were read from the store.
 *
 * @param asked those that were asked for
 * @param beside others of the same tenants that were read with them because they lie together: specs as they were once stored, which may have
 *     been changed or have ended since
 */
public record Fetched(Map<JobId, JobSpec> asked, List<JobSpec> beside) {}
