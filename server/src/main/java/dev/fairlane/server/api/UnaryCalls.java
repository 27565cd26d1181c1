package dev.fairlane.server.api;

import com.google.protobuf.Message;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.protocol.v1.AdminGrpc;
import dev.fairlane.protocol.v1.AuditGrpc;
import dev.fairlane.protocol.v1.AwaitGroupRequest;
import dev.fairlane.protocol.v1.AwaitJobRequest;
import dev.fairlane.protocol.v1.CancelGroupRequest;
import dev.fairlane.protocol.v1.CancelJobRequest;
import dev.fairlane.protocol.v1.CancelOperationRequest;
import dev.fairlane.protocol.v1.ChangeJobsRequest;
import dev.fairlane.protocol.v1.ControlGrpc;
import dev.fairlane.protocol.v1.CreateGroupRequest;
import dev.fairlane.protocol.v1.CreateKeyRequest;
import dev.fairlane.protocol.v1.DeadLettersGrpc;
import dev.fairlane.protocol.v1.DeleteScheduleRequest;
import dev.fairlane.protocol.v1.DrainWorkerRequest;
import dev.fairlane.protocol.v1.EraseReasonRequest;
import dev.fairlane.protocol.v1.ExplainJobRequest;
import dev.fairlane.protocol.v1.GetAuditHeadsRequest;
import dev.fairlane.protocol.v1.GetGroupRequest;
import dev.fairlane.protocol.v1.GetJobRequest;
import dev.fairlane.protocol.v1.GetOperationRequest;
import dev.fairlane.protocol.v1.GetScheduleRequest;
import dev.fairlane.protocol.v1.GetStatusRequest;
import dev.fairlane.protocol.v1.GetTenantRequest;
import dev.fairlane.protocol.v1.GetTypeRequest;
import dev.fairlane.protocol.v1.GetUsageRequest;
import dev.fairlane.protocol.v1.GetWebhookSecretRequest;
import dev.fairlane.protocol.v1.GroupsGrpc;
import dev.fairlane.protocol.v1.JobsGrpc;
import dev.fairlane.protocol.v1.LedgerGrpc;
import dev.fairlane.protocol.v1.ListAuditRequest;
import dev.fairlane.protocol.v1.ListDeadRequest;
import dev.fairlane.protocol.v1.ListGroupJobsRequest;
import dev.fairlane.protocol.v1.ListJobsRequest;
import dev.fairlane.protocol.v1.ListKeysRequest;
import dev.fairlane.protocol.v1.ListOperationsRequest;
import dev.fairlane.protocol.v1.ListPausesRequest;
import dev.fairlane.protocol.v1.ListSchedulesRequest;
import dev.fairlane.protocol.v1.ListTenantsRequest;
import dev.fairlane.protocol.v1.ListTypesRequest;
import dev.fairlane.protocol.v1.OperationsGrpc;
import dev.fairlane.protocol.v1.PauseJobRequest;
import dev.fairlane.protocol.v1.PauseRequest;
import dev.fairlane.protocol.v1.PauseScheduleRequest;
import dev.fairlane.protocol.v1.PreviewScheduleRequest;
import dev.fairlane.protocol.v1.PurgeDeadRequest;
import dev.fairlane.protocol.v1.PutScheduleRequest;
import dev.fairlane.protocol.v1.PutSchedulesRequest;
import dev.fairlane.protocol.v1.PutTenantRequest;
import dev.fairlane.protocol.v1.PutTypeRequest;
import dev.fairlane.protocol.v1.ReleaseTypeRequest;
import dev.fairlane.protocol.v1.ReplayDeadRequest;
import dev.fairlane.protocol.v1.ReplayJobRequest;
import dev.fairlane.protocol.v1.ResumeJobRequest;
import dev.fairlane.protocol.v1.ResumeRequest;
import dev.fairlane.protocol.v1.ResumeScheduleRequest;
import dev.fairlane.protocol.v1.RevokeKeyRequest;
import dev.fairlane.protocol.v1.RotateWebhookSecretRequest;
import dev.fairlane.protocol.v1.SchedulesGrpc;
import dev.fairlane.protocol.v1.SealGroupRequest;
import dev.fairlane.protocol.v1.SubmitBatchRequest;
import dev.fairlane.protocol.v1.SubmitGroupRequest;
import dev.fairlane.protocol.v1.SubmitRequest;
import dev.fairlane.protocol.v1.SummarizeDeadRequest;
import dev.fairlane.protocol.v1.TriggerScheduleRequest;
import dev.fairlane.protocol.v1.UpdateJobRequest;
import dev.fairlane.protocol.v1.WebhooksGrpc;
import dev.fairlane.server.fault.Faults;
import dev.fairlane.server.fault.RefusalCounts;
import dev.fairlane.server.fault.Refused;
import dev.fairlane.server.routes.Repeating;
import io.grpc.MethodDescriptor;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Every call with one request and one answer, by its full name. gRPC and REST are both made from this. */
public final class UnaryCalls {
    private final Map<String, Unary<?, ?>> byName = new LinkedHashMap<>();
    private final RememberedAnswers answers;
    private final RefusalCounts refusals;

    /** @param prototype an empty request */
    public record Unary<Q extends Message, R extends Message>(
            MethodDescriptor<Q, R> method, Q prototype, BiFunction<Call, Q, CompletableFuture<R>> deed) {

        /** @throws ClassCastException if the request is one of another call */
        @SuppressWarnings("unchecked") // the prototype is of the class Q
        public CompletableFuture<R> perform(Call call, Message request) {
            return deed.apply(call, (Q) prototype.getClass().cast(request));
        }
    }

    public UnaryCalls(
            RefusalCounts refusals,
            JobCalls jobs,
            AdminCalls admin,
            OperationCalls operations,
            WebhookCalls webhooks,
            ControlCalls control,
            DeadLetterCalls dead,
            GroupCalls groups,
            ScheduleCalls schedules,
            UsageCalls usage,
            AuditCalls audit,
            RememberedAnswers answers) {
        this.refusals = refusals;
        this.answers = answers;
        add(JobsGrpc.getSubmitMethod(), SubmitRequest.getDefaultInstance(), jobs::submit);
        add(JobsGrpc.getSubmitBatchMethod(), SubmitBatchRequest.getDefaultInstance(), jobs::submitBatch);
        add(JobsGrpc.getGetMethod(), GetJobRequest.getDefaultInstance(), jobs::get);
        add(JobsGrpc.getListMethod(), ListJobsRequest.getDefaultInstance(), jobs::list);
        add(JobsGrpc.getExplainMethod(), ExplainJobRequest.getDefaultInstance(), jobs::explain);
        add(JobsGrpc.getAwaitMethod(), AwaitJobRequest.getDefaultInstance(), jobs::await);
        add(JobsGrpc.getCancelMethod(), CancelJobRequest.getDefaultInstance(), jobs::cancel);
        add(GroupsGrpc.getCreateGroupMethod(), CreateGroupRequest.getDefaultInstance(), groups::create);
        add(GroupsGrpc.getSubmitGroupMethod(), SubmitGroupRequest.getDefaultInstance(), groups::submit);
        add(GroupsGrpc.getGetGroupMethod(), GetGroupRequest.getDefaultInstance(), groups::get);
        add(GroupsGrpc.getSealGroupMethod(), SealGroupRequest.getDefaultInstance(), groups::seal);
        add(GroupsGrpc.getAwaitGroupMethod(), AwaitGroupRequest.getDefaultInstance(), groups::await);
        add(GroupsGrpc.getListGroupJobsMethod(), ListGroupJobsRequest.getDefaultInstance(), groups::jobs);
        add(GroupsGrpc.getCancelGroupMethod(), CancelGroupRequest.getDefaultInstance(), groups::cancel);
        add(SchedulesGrpc.getPutScheduleMethod(), PutScheduleRequest.getDefaultInstance(), schedules::put);
        add(SchedulesGrpc.getPutSchedulesMethod(), PutSchedulesRequest.getDefaultInstance(), schedules::putAll);
        add(SchedulesGrpc.getGetScheduleMethod(), GetScheduleRequest.getDefaultInstance(), schedules::get);
        add(SchedulesGrpc.getListSchedulesMethod(), ListSchedulesRequest.getDefaultInstance(), schedules::list);
        add(SchedulesGrpc.getPauseScheduleMethod(), PauseScheduleRequest.getDefaultInstance(), schedules::pause);
        add(SchedulesGrpc.getResumeScheduleMethod(), ResumeScheduleRequest.getDefaultInstance(), schedules::resume);
        add(SchedulesGrpc.getDeleteScheduleMethod(), DeleteScheduleRequest.getDefaultInstance(), schedules::delete);
        add(SchedulesGrpc.getTriggerScheduleMethod(), TriggerScheduleRequest.getDefaultInstance(), schedules::trigger);
        add(SchedulesGrpc.getPreviewScheduleMethod(), PreviewScheduleRequest.getDefaultInstance(), schedules::preview);
        add(WebhooksGrpc.getGetSecretMethod(), GetWebhookSecretRequest.getDefaultInstance(), webhooks::get);
        add(WebhooksGrpc.getRotateSecretMethod(), RotateWebhookSecretRequest.getDefaultInstance(), webhooks::rotate);
        add(AdminGrpc.getGetStatusMethod(), GetStatusRequest.getDefaultInstance(), admin::getStatus);
        add(AdminGrpc.getPutTenantMethod(), PutTenantRequest.getDefaultInstance(), admin::putTenant);
        add(AdminGrpc.getGetTenantMethod(), GetTenantRequest.getDefaultInstance(), admin::getTenant);
        add(AdminGrpc.getListTenantsMethod(), ListTenantsRequest.getDefaultInstance(), admin::listTenants);
        add(AdminGrpc.getPutTypeMethod(), PutTypeRequest.getDefaultInstance(), admin::putType);
        add(AdminGrpc.getGetTypeMethod(), GetTypeRequest.getDefaultInstance(), admin::getType);
        add(AdminGrpc.getReleaseTypeMethod(), ReleaseTypeRequest.getDefaultInstance(), admin::releaseType);
        add(AdminGrpc.getListTypesMethod(), ListTypesRequest.getDefaultInstance(), admin::listTypes);
        add(AdminGrpc.getDrainWorkerMethod(), DrainWorkerRequest.getDefaultInstance(), admin::drainWorker);
        add(AdminGrpc.getCreateKeyMethod(), CreateKeyRequest.getDefaultInstance(), admin::createKey);
        add(AdminGrpc.getListKeysMethod(), ListKeysRequest.getDefaultInstance(), admin::listKeys);
        add(AdminGrpc.getRevokeKeyMethod(), RevokeKeyRequest.getDefaultInstance(), admin::revokeKey);
        add(DeadLettersGrpc.getListDeadMethod(), ListDeadRequest.getDefaultInstance(), dead::list);
        add(DeadLettersGrpc.getSummarizeDeadMethod(), SummarizeDeadRequest.getDefaultInstance(), dead::summarize);
        add(DeadLettersGrpc.getReplayJobMethod(), ReplayJobRequest.getDefaultInstance(), dead::replay);
        add(DeadLettersGrpc.getReplayDeadMethod(), ReplayDeadRequest.getDefaultInstance(), dead::replayAll);
        add(DeadLettersGrpc.getPurgeDeadMethod(), PurgeDeadRequest.getDefaultInstance(), dead::purge);
        add(AuditGrpc.getListAuditMethod(), ListAuditRequest.getDefaultInstance(), audit::list);
        add(AuditGrpc.getGetAuditHeadsMethod(), GetAuditHeadsRequest.getDefaultInstance(), audit::heads);
        add(AuditGrpc.getEraseReasonMethod(), EraseReasonRequest.getDefaultInstance(), audit::eraseReason);
        add(LedgerGrpc.getGetUsageMethod(), GetUsageRequest.getDefaultInstance(), usage::get);
        add(OperationsGrpc.getGetOperationMethod(), GetOperationRequest.getDefaultInstance(), operations::get);
        add(OperationsGrpc.getListOperationsMethod(), ListOperationsRequest.getDefaultInstance(), operations::list);
        add(OperationsGrpc.getCancelOperationMethod(), CancelOperationRequest.getDefaultInstance(), operations::cancel);
        add(ControlGrpc.getUpdateJobMethod(), UpdateJobRequest.getDefaultInstance(), control::update);
        add(ControlGrpc.getPauseJobMethod(), PauseJobRequest.getDefaultInstance(), control::pauseJob);
        add(ControlGrpc.getResumeJobMethod(), ResumeJobRequest.getDefaultInstance(), control::resumeJob);
        add(ControlGrpc.getChangeJobsMethod(), ChangeJobsRequest.getDefaultInstance(), control::changeJobs);
        add(ControlGrpc.getPauseMethod(), PauseRequest.getDefaultInstance(), control::pause);
        add(ControlGrpc.getResumeMethod(), ResumeRequest.getDefaultInstance(), control::resume);
        add(ControlGrpc.getListPausesMethod(), ListPausesRequest.getDefaultInstance(), control::listPauses);
    }

    private <Q extends Message, R extends Message> void add(
            MethodDescriptor<Q, R> method, Q prototype, BiFunction<Call, Q, CompletableFuture<R>> deed) {
        String name = method.getFullMethodName();
        BiFunction<Call, Q, CompletableFuture<R>> once =
                Repeating.REMEMBERED.contains(name) ? remembered(name, deed) : deed;
        byName.put(name, new Unary<>(method, prototype, counted(once)));
    }

    private <Q extends Message, R extends Message> BiFunction<Call, Q, CompletableFuture<R>> counted(
            BiFunction<Call, Q, CompletableFuture<R>> deed) {
        return (call, request) -> {
            CompletableFuture<R> outcome;
            try {
                outcome = deed.apply(call, request);
            } catch (Refused refused) {
                count(call, refused);
                throw refused;
            }
            return outcome.whenComplete((answer, failure) -> {
                if (failure != null) {
                    count(call, Faults.unwrap(failure));
                }
            });
        };
    }

    private void count(Call call, Throwable failure) {
        if (failure instanceof Refused refused) {
            Tenant named = call.caller().named();
            refusals.count(named == null ? Tenants.DEFAULT : named.name(), refused.code(), 1);
        }
    }

    @SuppressWarnings("unchecked") // the answer remembered under a call's name is one of this call
    private <Q extends Message, R extends Message> BiFunction<Call, Q, CompletableFuture<R>> remembered(
            String name, BiFunction<Call, Q, CompletableFuture<R>> deed) {
        return (call, request) -> call.idempotencyKey().isEmpty()
                ? deed.apply(call, request)
                : (CompletableFuture<R>) answers.answer(call, name, request, () -> deed.apply(call, request));
    }

    public @Nullable Unary<?, ?> find(String name) {
        return byName.get(name);
    }

    public Collection<Unary<?, ?>> all() {
        return byName.values();
    }
}
