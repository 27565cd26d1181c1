package dev.fairlane.sdk;

import dev.fairlane.protocol.v1.AdminGrpc;
import dev.fairlane.protocol.v1.ApiKey;
import dev.fairlane.protocol.v1.CreateKeyRequest;
import dev.fairlane.protocol.v1.CreateKeyResponse;
import dev.fairlane.protocol.v1.GetStatusRequest;
import dev.fairlane.protocol.v1.GetTenantRequest;
import dev.fairlane.protocol.v1.JobType;
import dev.fairlane.protocol.v1.ListKeysRequest;
import dev.fairlane.protocol.v1.ListKeysResponse;
import dev.fairlane.protocol.v1.ListTenantsRequest;
import dev.fairlane.protocol.v1.ListTenantsResponse;
import dev.fairlane.protocol.v1.ListTypesRequest;
import dev.fairlane.protocol.v1.ListTypesResponse;
import dev.fairlane.protocol.v1.MovedPool;
import dev.fairlane.protocol.v1.PoolStatus;
import dev.fairlane.protocol.v1.PutTenantRequest;
import dev.fairlane.protocol.v1.PutTypeRequest;
import dev.fairlane.protocol.v1.RefusalCount;
import dev.fairlane.protocol.v1.RevokeKeyRequest;
import dev.fairlane.protocol.v1.Status;
import dev.fairlane.protocol.v1.Tenant;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;

/** The admin part of {@link FakeServer}: remembers what it is told. */
final class FakeAdmin extends AdminGrpc.AdminImplBase {
    private final List<Tenant> tenants = new ArrayList<>();
    private final List<JobType> types = new ArrayList<>();
    private final List<ApiKey> keys = new ArrayList<>();

    @Override
    public void getStatus(GetStatusRequest request, StreamObserver<Status> answer) {
        send(
                answer,
                Status.newBuilder()
                        .setVersion("1")
                        .setNode("n1")
                        .setState("serving")
                        .setSubmitted(7)
                        .addPools(PoolStatus.newBuilder().setPool("short").setSlots(50))
                        .addRefusals(RefusalCount.newBuilder()
                                .setTenant("acme")
                                .setCode("RATE_LIMIT")
                                .setCount(3))
                        .build());
    }

    @Override
    public void putTenant(PutTenantRequest request, StreamObserver<Tenant> answer) {
        Tenant tenant = Tenant.newBuilder()
                .setName(request.getName())
                .setWeight(request.getWeight())
                .setTier(request.getTier())
                .setSubmitRate(request.getSubmitRate())
                .setMaxOpenJobs(request.getMaxOpenJobs())
                .putAllInFlight(request.getInFlightMap())
                .putAllReserved(request.getReservedMap())
                .putAllLanes(request.getLanesMap())
                .addAllKeyLimits(request.getKeyLimitsList())
                .addAllQuotas(request.getQuotasList())
                .setClosedTypes(request.getClosedTypes())
                .build();
        tenants.add(tenant);
        send(answer, tenant);
    }

    @Override
    public void getTenant(GetTenantRequest request, StreamObserver<Tenant> answer) {
        send(answer, tenants.getLast());
    }

    @Override
    public void listTenants(ListTenantsRequest request, StreamObserver<ListTenantsResponse> answer) {
        send(answer, ListTenantsResponse.newBuilder().addAllTenants(tenants).build());
    }

    @Override
    public void putType(PutTypeRequest request, StreamObserver<JobType> answer) {
        JobType type = JobType.newBuilder()
                .setTenant(request.getTenant())
                .setName(request.getName())
                .setPool(request.getPool())
                .setMaxAttempts(request.getMaxAttempts())
                .setTimeLimitMs(request.getTimeLimitMs())
                .setRules(request.getRules())
                .setMoved(MovedPool.newBuilder().setPool("gpu"))
                .build();
        types.add(type);
        send(answer, type);
    }

    @Override
    public void listTypes(ListTypesRequest request, StreamObserver<ListTypesResponse> answer) {
        send(answer, ListTypesResponse.newBuilder().addAllTypes(types).build());
    }

    @Override
    public void createKey(CreateKeyRequest request, StreamObserver<CreateKeyResponse> answer) {
        ApiKey key = ApiKey.newBuilder()
                .setId("k1")
                .setName(request.getName())
                .setTenant(request.getTenant())
                .setRole(request.getRole())
                .setCreatedAtMicros(1)
                .build();
        keys.add(key);
        send(
                answer,
                CreateKeyResponse.newBuilder().setKey(key).setSecret("s3cret").build());
    }

    @Override
    public void listKeys(ListKeysRequest request, StreamObserver<ListKeysResponse> answer) {
        send(answer, ListKeysResponse.newBuilder().addAllKeys(keys).build());
    }

    @Override
    public void revokeKey(RevokeKeyRequest request, StreamObserver<ApiKey> answer) {
        send(answer, keys.getFirst().toBuilder().setRevokedAtMicros(2).build());
    }

    private static <A> void send(StreamObserver<A> observer, A answer) {
        observer.onNext(answer);
        observer.onCompleted();
    }
}
