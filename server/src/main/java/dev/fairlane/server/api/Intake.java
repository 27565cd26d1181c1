package dev.fairlane.server.api;

import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.PayloadRef;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.runtime.Node;
import dev.fairlane.server.admit.JobCheck;
import dev.fairlane.server.admit.PayloadSchemas;
import dev.fairlane.server.fault.Refused;
import dev.fairlane.server.objects.StoredPayloads;
import dev.fairlane.server.webhook.WebhookRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** From a job as it came to one the node may see: shape, webhook, schema, and the payload where it lies in the object store. */
public final class Intake {
    private final Node node;
    private final WebhookRules webhooks;
    private final StoredPayloads payloads;
    private final PayloadSchemas schemas = new PayloadSchemas();

    public Intake(Node node, WebhookRules webhooks, StoredPayloads payloads) {
        this.node = node;
        this.webhooks = webhooks;
        this.payloads = payloads;
    }

    /** @throws Refused if it cannot be a job of this tenant, whatever the store says */
    NewJob check(Tenant tenant, dev.fairlane.protocol.v1.NewJob asked) {
        NewJob job = webhooks.check(JobCheck.check(asked));
        String schema = node.payloadSchema(tenant.id(), job.type());
        if (!schema.isEmpty()) {
            schemas.check(schema, job.payload());
        }
        if (PayloadRef.is(job.payload()) && !StoredPayloads.of(asked.getPayloadRef(), tenant)) {
            // Whether there is such a thing of another tenant is not told.
            throw Refused.field(ErrorCode.OBJECT_NOT_FOUND, "payload_ref", ErrorCode.OBJECT_NOT_FOUND.title());
        }
        return job;
    }

    static boolean refer(List<NewJob> jobs) {
        for (int i = 0; i < jobs.size(); i++) {
            if (PayloadRef.is(jobs.get(i).payload())) {
                return true;
            }
        }
        return false;
    }

    /** Looks for what the jobs refer to: for each why it cannot be taken, or empty. Completes anywhere. */
    CompletableFuture<List<Optional<Refused>>> find(List<NewJob> jobs) {
        List<CompletableFuture<Optional<Refused>>> found = new ArrayList<>(jobs.size());
        for (NewJob job : jobs) {
            found.add(PayloadRef.of(job.payload())
                    .map(payloads::find)
                    .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty())));
        }
        return CompletableFuture.allOf(found.toArray(CompletableFuture<?>[]::new))
                .thenApply(_ -> found.stream().map(CompletableFuture::join).toList());
    }
}
