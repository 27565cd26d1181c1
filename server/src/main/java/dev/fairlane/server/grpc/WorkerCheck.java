package dev.fairlane.server.grpc;

import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobProgress;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.PayloadRef;
import dev.fairlane.core.model.ReservedTypes;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.Hello;
import dev.fairlane.protocol.v1.LeaseProgress;
import dev.fairlane.protocol.v1.PoolSlots;
import dev.fairlane.protocol.v1.Report;
import dev.fairlane.protocol.v1.Success;
import dev.fairlane.protocol.v1.WorkerFailure;
import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.runtime.WorkerSession;
import dev.fairlane.server.admit.JobCheck;
import dev.fairlane.server.admit.Limits;
import dev.fairlane.server.admit.NeedsCheck;
import dev.fairlane.server.admit.Text;
import dev.fairlane.server.auth.Caller;
import dev.fairlane.server.fault.Refused;
import dev.fairlane.server.objects.Results;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What workers say, checked and in the words of the node. */
final class WorkerCheck {
    private static final Payload NO_RESULT = Payload.EMPTY;
    private static final Set<FailureClass> TOLD_BY_WORKERS = Set.of(
            FailureClass.APP_ERROR,
            FailureClass.NON_RETRYABLE,
            FailureClass.RATE_LIMITED,
            FailureClass.DEPENDENCY,
            FailureClass.TIMEOUT,
            FailureClass.RESOURCE_VIOLATION);
    private static final long RETRY_AFTER_MS_MAX = 7L * 24 * 3_600 * 1_000;

    private final Set<String> pools;

    WorkerCheck(Set<String> pools) {
        this.pools = pools;
    }

    WorkerOffer offer(Caller caller, Hello hello) {
        String worker = Text.line("worker", hello.getWorker(), Limits.NAME_LENGTH);
        if (worker.isEmpty()) {
            throw Refused.invalid("worker", "expected a name, but it is empty");
        }
        if (worker.equals(ReservedTypes.WORKER)) {
            throw Refused.invalid("worker", "expected another name, since this is the server's own worker's");
        }
        JobCheck.between("types", hello.getTypesCount(), 1, Limits.WORKER_TYPES);
        hello.getTypesList().forEach(WorkerCheck::type);
        Map<String, Integer> slots = new LinkedHashMap<>();
        long total = 0;
        for (PoolSlots offer : hello.getOffersList()) {
            if (!pools.contains(offer.getPool())) {
                throw Refused.field(
                        ErrorCode.UNKNOWN_POOL,
                        "offers",
                        "expected one of " + pools.stream().sorted().toList());
            }
            total += JobCheck.between("offers", offer.getSlots(), 1, Limits.WORKER_SLOTS);
            if (slots.put(offer.getPool(), offer.getSlots()) != null) {
                throw Refused.invalid("offers", "expected each pool once");
            }
        }
        JobCheck.between("offers", total, 1, Limits.WORKER_SLOTS);
        return new WorkerOffer(
                worker,
                caller.scope(),
                List.copyOf(hello.getTypesList()),
                slots,
                NeedsCheck.resources("resources", hello.getResources()),
                NeedsCheck.tags("tags", hello.getTagsList(), Limits.WORKER_TAGS));
    }

    private static void type(String type) {
        if (ReservedTypes.reserved(Text.typeName("types", type))) {
            throw Refused.field(ErrorCode.RESERVED_TYPE, "types", ErrorCode.RESERVED_TYPE.title());
        }
    }

    static List<LeaseRef> leases(List<dev.fairlane.protocol.v1.LeaseRef> refs) {
        JobCheck.between("leases", refs.size(), 0, Limits.WORKER_SLOTS);
        List<LeaseRef> leases = new ArrayList<>(refs.size());
        for (dev.fairlane.protocol.v1.LeaseRef ref : refs) {
            leases.add(lease(ref));
        }
        return leases;
    }

    WorkerSession.Report report(Report report) {
        List<WorkerSession.Success> succeeded = new ArrayList<>(report.getSucceededCount());
        List<WorkerSession.Failed> failed = new ArrayList<>(report.getFailedCount());
        for (Success success : report.getSucceededList()) {
            if (!success.hasLease()) {
                throw noLease();
            }
            LeaseRef lease = lease(success.getLease());
            if (!success.getResultRef().isEmpty()) {
                succeeded.add(new WorkerSession.Success(lease, reference(success, lease)));
            } else if (success.getResult().size() > Limits.PAYLOAD_BYTES) {
                failed.add(new WorkerSession.Failed(
                        lease, tooLarge(success.getResult().size())));
            } else {
                succeeded.add(new WorkerSession.Success(lease, result(success)));
            }
        }
        for (WorkerFailure failure : report.getFailedList()) {
            if (!failure.hasLease()) {
                throw noLease();
            }
            failed.add(new WorkerSession.Failed(lease(failure.getLease()), failure(failure)));
        }
        return new WorkerSession.Report(
                leases(report.getStartedList()), succeeded, failed, leases(report.getHandedOverList()));
    }

    static List<WorkerSession.Progress> progress(List<LeaseProgress> told) {
        List<WorkerSession.Progress> progress = new ArrayList<>(told.size());
        for (LeaseProgress one : told) {
            if (!one.hasLease()) {
                throw noLease();
            }
            if (one.hasFraction() && !(one.getFraction() >= 0 && one.getFraction() <= 1)) {
                throw Refused.invalid("progress.fraction", "expected 0 to 1");
            }
            progress.add(new WorkerSession.Progress(
                    lease(one.getLease()),
                    one.hasFraction() ? one.getFraction() : JobProgress.UNKNOWN,
                    Text.trimmed(one.getMessage(), Limits.PROGRESS_LENGTH)));
        }
        return progress;
    }

    private static Payload reference(Success success, LeaseRef lease) {
        if (!Results.belongs(success.getResultRef(), lease.id(), lease.token())) {
            throw Refused.invalid("succeeded.result_ref", "expected what saving the result of this lease answered");
        }
        String type = success.getContentType().isEmpty() ? Payload.JSON : success.getContentType();
        long bytes = JobCheck.between("succeeded.result_bytes", success.getResultBytes(), 0, Long.MAX_VALUE);
        return new PayloadRef(success.getResultRef(), bytes, Text.contentType("succeeded.content_type", type))
                .payload();
    }

    private static Payload result(Success success) {
        String contentType = success.getContentType();
        boolean json = contentType.isEmpty() || contentType.equals(Payload.JSON);
        if (json && success.getResult().isEmpty()) {
            return NO_RESULT;
        }
        return new Payload(
                success.getResult().toByteArray(),
                json ? Payload.JSON : Text.contentType("succeeded.content_type", contentType));
    }

    /** The handler has run, so refusing the message would only run it again: the job hears why it cannot be stored. */
    private static Failure tooLarge(int bytes) {
        return Failure.of(
                FailureClass.NON_RETRYABLE,
                "expected a result of at most " + Limits.PAYLOAD_BYTES + " bytes, but got " + bytes
                        + "; store it elsewhere and return a reference");
    }

    private static Failure failure(WorkerFailure failure) {
        FailureClass failureClass = TOLD_BY_WORKERS.stream()
                .filter(known -> known.name().equals(failure.getFailureClass()))
                .findFirst()
                .orElseThrow(() -> Refused.invalid(
                        "failed.failure_class",
                        "expected one of " + TOLD_BY_WORKERS.stream().sorted().toList()));
        long retryAfter = JobCheck.between("failed.retry_after_ms", failure.getRetryAfterMs(), 0, RETRY_AFTER_MS_MAX);
        return new Failure(
                failureClass,
                Text.trimmed(failure.getMessage(), Limits.FAILURE_MESSAGE_LENGTH),
                Text.trimmed(failure.getDetail(), Limits.FAILURE_DETAIL_LENGTH),
                retryAfter * 1_000,
                Text.line("failed.dependency", failure.getDependency(), Limits.NAME_LENGTH),
                Text.trimmed(failure.getError(), Limits.ERROR_NAME_LENGTH));
    }

    private static LeaseRef lease(dev.fairlane.protocol.v1.LeaseRef ref) {
        return new LeaseRef(new JobId(ref.getIdHi(), ref.getIdLo()), ref.getToken());
    }

    private static Refused noLease() {
        return Refused.of(ErrorCode.PROTOCOL_VIOLATION, "expected a lease with every result, but one has none");
    }
}
