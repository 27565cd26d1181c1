package dev.fairlane.server.routes;

import static dev.fairlane.server.auth.Role.ADMIN;
import static dev.fairlane.server.auth.Role.SUBMITTER;
import static dev.fairlane.server.auth.Role.VIEWER;
import static dev.fairlane.server.auth.Role.WORKER;

import dev.fairlane.server.auth.Role;
import java.util.Map;
import java.util.Set;

/** Who may call what, by the full name of the RPC. */
final class Permissions {
    private static final Set<Role> SUBMIT = Set.of(ADMIN, SUBMITTER);
    private static final Set<Role> LOOK = Set.of(ADMIN, SUBMITTER, VIEWER);
    private static final Set<Role> ANYBODY = Set.of(ADMIN, SUBMITTER, WORKER, VIEWER);
    private static final Set<Role> RUN = Set.of(ADMIN, WORKER);
    private static final Set<Role> GOVERN = Set.of(ADMIN);

    static final Map<String, Set<Role>> BY_RPC = Map.ofEntries(
            Map.entry("fairlane.v1.Jobs/Submit", SUBMIT),
            Map.entry("fairlane.v1.Jobs/SubmitBatch", SUBMIT),
            Map.entry("fairlane.v1.Jobs/SubmitStream", SUBMIT),
            Map.entry("fairlane.v1.Jobs/Get", LOOK),
            Map.entry("fairlane.v1.Jobs/List", LOOK),
            Map.entry("fairlane.v1.Jobs/Explain", LOOK),
            Map.entry("fairlane.v1.Jobs/Await", LOOK),
            Map.entry("fairlane.v1.Jobs/Watch", LOOK),
            Map.entry("fairlane.v1.Jobs/Cancel", SUBMIT),
            Map.entry("fairlane.v1.Workers/Connect", RUN),
            Map.entry("fairlane.v1.Groups/CreateGroup", SUBMIT),
            Map.entry("fairlane.v1.Groups/SubmitGroup", SUBMIT),
            Map.entry("fairlane.v1.Groups/SealGroup", SUBMIT),
            Map.entry("fairlane.v1.Groups/CancelGroup", SUBMIT),
            Map.entry("fairlane.v1.Groups/GetGroup", LOOK),
            Map.entry("fairlane.v1.Groups/AwaitGroup", LOOK),
            Map.entry("fairlane.v1.Groups/ListGroupJobs", LOOK),
            Map.entry("fairlane.v1.Schedules/PutSchedule", SUBMIT),
            Map.entry("fairlane.v1.Schedules/PutSchedules", SUBMIT),
            Map.entry("fairlane.v1.Schedules/GetSchedule", LOOK),
            Map.entry("fairlane.v1.Schedules/ListSchedules", LOOK),
            Map.entry("fairlane.v1.Schedules/PauseSchedule", SUBMIT),
            Map.entry("fairlane.v1.Schedules/ResumeSchedule", SUBMIT),
            Map.entry("fairlane.v1.Schedules/DeleteSchedule", SUBMIT),
            Map.entry("fairlane.v1.Schedules/TriggerSchedule", SUBMIT),
            Map.entry("fairlane.v1.Schedules/PreviewSchedule", LOOK),
            Map.entry("fairlane.v1.Webhooks/GetSecret", GOVERN),
            Map.entry("fairlane.v1.Webhooks/RotateSecret", GOVERN),
            Map.entry("fairlane.v1.Objects/SaveCheckpoint", RUN),
            Map.entry("fairlane.v1.Objects/LoadCheckpoint", RUN),
            Map.entry("fairlane.v1.Objects/SaveResult", RUN),
            Map.entry("fairlane.v1.Objects/GetResult", LOOK),
            Map.entry("fairlane.v1.Objects/PutPayload", SUBMIT),
            Map.entry("fairlane.v1.Objects/GetPayload", ANYBODY),
            Map.entry("fairlane.v1.Admin/DrainWorker", GOVERN),
            Map.entry("fairlane.v1.Admin/GetStatus", ANYBODY),
            Map.entry("fairlane.v1.Admin/PutTenant", GOVERN),
            Map.entry("fairlane.v1.Admin/GetTenant", LOOK),
            Map.entry("fairlane.v1.Admin/ListTenants", LOOK),
            // A worker declares the types it has handlers for.
            Map.entry("fairlane.v1.Admin/PutType", RUN),
            Map.entry("fairlane.v1.Admin/GetType", ANYBODY),
            Map.entry("fairlane.v1.Admin/ReleaseType", GOVERN),
            Map.entry("fairlane.v1.Admin/ListTypes", ANYBODY),
            Map.entry("fairlane.v1.Admin/CreateKey", GOVERN),
            Map.entry("fairlane.v1.Admin/ListKeys", GOVERN),
            Map.entry("fairlane.v1.Admin/RevokeKey", GOVERN),
            Map.entry("fairlane.v1.Control/UpdateJob", SUBMIT),
            Map.entry("fairlane.v1.Control/PauseJob", SUBMIT),
            Map.entry("fairlane.v1.Control/ResumeJob", SUBMIT),
            Map.entry("fairlane.v1.Control/ChangeJobs", SUBMIT),
            // Whoever submits may hold back types and lanes of its tenant; more is for admins, which the call checks.
            Map.entry("fairlane.v1.Control/Pause", SUBMIT),
            Map.entry("fairlane.v1.Control/Resume", SUBMIT),
            Map.entry("fairlane.v1.Control/ListPauses", LOOK),
            Map.entry("fairlane.v1.DeadLetters/ListDead", LOOK),
            Map.entry("fairlane.v1.DeadLetters/SummarizeDead", LOOK),
            Map.entry("fairlane.v1.DeadLetters/ReplayJob", SUBMIT),
            Map.entry("fairlane.v1.DeadLetters/ReplayDead", SUBMIT),
            Map.entry("fairlane.v1.DeadLetters/PurgeDead", GOVERN),
            Map.entry("fairlane.v1.Ledger/GetUsage", LOOK),
            Map.entry("fairlane.v1.Audit/ListAudit", GOVERN),
            Map.entry("fairlane.v1.Audit/GetAuditHeads", GOVERN),
            Map.entry("fairlane.v1.Audit/EraseReason", GOVERN),
            Map.entry("fairlane.v1.Operations/GetOperation", LOOK),
            Map.entry("fairlane.v1.Operations/ListOperations", LOOK),
            Map.entry("fairlane.v1.Operations/CancelOperation", SUBMIT));

    private Permissions() {}
}
