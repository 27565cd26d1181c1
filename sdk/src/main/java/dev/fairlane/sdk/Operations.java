package dev.fairlane.sdk;

import dev.fairlane.protocol.v1.CancelOperationRequest;
import dev.fairlane.protocol.v1.GetOperationRequest;
import dev.fairlane.protocol.v1.ListOperationsRequest;
import dev.fairlane.protocol.v1.OperationsGrpc;
import dev.fairlane.sdk.internal.Rpc;
import java.util.List;

/** What is being done to many jobs at once. */
public final class Operations {
    private final Rpc rpc;

    Operations(Rpc rpc) {
        this.rpc = rpc;
    }

    /**
     * How it stands.
     *
     * @throws FairlaneException.NotFound if there is none, or none any more
     */
    public Operation get(String id) {
        return Operation.of(rpc.call(
                OperationsGrpc.getGetOperationMethod(),
                GetOperationRequest.newBuilder().setId(id).build(),
                Rpc.Repeat.SAFE));
    }

    /** Those under way and the last ones that ended, the newest first. */
    public List<Operation> list() {
        return rpc
                .call(
                        OperationsGrpc.getListOperationsMethod(),
                        ListOperationsRequest.getDefaultInstance(),
                        Rpc.Repeat.SAFE)
                .getOperationsList()
                .stream()
                .map(Operation::of)
                .toList();
    }

    /** Stops it before its next step; what was done stays done. */
    public Operation cancel(String id) {
        return Operation.of(rpc.call(
                OperationsGrpc.getCancelOperationMethod(),
                CancelOperationRequest.newBuilder().setId(id).build(),
                Rpc.Repeat.SAFE));
    }
}
