package dev.fairlane.server.routes;

import java.util.Set;

/**
 * What happens when a call that changes something comes twice. Those named here would do it twice, or answer otherwise, and so take
 * an {@code Idempotency-Key}; for submits it is the key of the job, for the others the answer is remembered. All other calls read, or
 * ask for a state that is the same after the second time, and the header makes no difference.
 */
public final class Repeating {
    /** The key is kept with the jobs. */
    public static final Set<String> KEPT_WITH_JOBS = Set.of("fairlane.v1.Jobs/Submit", "fairlane.v1.Jobs/SubmitBatch");

    /** A stream has no key: its jobs have. */
    public static final Set<String> KEY_PER_JOB = Set.of("fairlane.v1.Jobs/SubmitStream");

    /** The answer is remembered. */
    public static final Set<String> REMEMBERED = Set.of(
            "fairlane.v1.Groups/CreateGroup",
            "fairlane.v1.Groups/SubmitGroup",
            "fairlane.v1.Schedules/TriggerSchedule",
            "fairlane.v1.Schedules/DeleteSchedule",
            "fairlane.v1.Webhooks/RotateSecret",
            "fairlane.v1.Admin/CreateKey",
            "fairlane.v1.Control/UpdateJob",
            "fairlane.v1.Control/ChangeJobs",
            "fairlane.v1.DeadLetters/ReplayJob",
            "fairlane.v1.DeadLetters/ReplayDead",
            "fairlane.v1.DeadLetters/PurgeDead");

    /** The same after the second time as after the first. */
    public static final Set<String> BY_NATURE = Set.of(
            "fairlane.v1.Jobs/Cancel",
            "fairlane.v1.Groups/SealGroup",
            "fairlane.v1.Groups/CancelGroup",
            "fairlane.v1.Schedules/PutSchedule",
            "fairlane.v1.Schedules/PutSchedules",
            "fairlane.v1.Schedules/PauseSchedule",
            "fairlane.v1.Schedules/ResumeSchedule",
            "fairlane.v1.Schedules/PreviewSchedule",
            "fairlane.v1.Objects/SaveCheckpoint",
            "fairlane.v1.Objects/SaveResult",
            // Bytes that no job is submitted with are removed.
            "fairlane.v1.Objects/PutPayload",
            "fairlane.v1.Admin/DrainWorker",
            "fairlane.v1.Admin/PutTenant",
            "fairlane.v1.Admin/PutType",
            "fairlane.v1.Admin/ReleaseType",
            "fairlane.v1.Admin/RevokeKey",
            "fairlane.v1.Audit/EraseReason",
            "fairlane.v1.Control/PauseJob",
            "fairlane.v1.Control/ResumeJob",
            "fairlane.v1.Control/Pause",
            "fairlane.v1.Control/Resume",
            "fairlane.v1.Operations/CancelOperation");

    private Repeating() {}
}
