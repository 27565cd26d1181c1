package dev.fairlane.sim.seen;

import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.TenantId;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * One wish of a client, sent once or many times. Its number is in the payload, so a stored job can be traced back to it.
 *
 * @param reused a body that came with a key that already belongs to another one
 */
public record Request(int number, TenantId tenant, NewJob job, boolean reused) {

    /** @param size bytes of the payload, at least */
    public static Payload payload(int number, int size) {
        String text = number + ":";
        return new Payload(
                (text + "x".repeat(Math.max(0, size - text.length()))).getBytes(StandardCharsets.UTF_8), "text/plain");
    }

    /** The number in a payload made by {@link #payload}. */
    public static int numberIn(Payload payload) {
        String text = new String(payload.bytes(), StandardCharsets.UTF_8);
        return Integer.parseInt(text.substring(0, text.indexOf(':')));
    }

    public boolean keyed() {
        return !job.idempotencyKey().isEmpty();
    }

    /** Whether it may be refused so, though nothing is wrong with it. */
    public boolean mayHear(RefusalCode code) {
        return switch (code) {
            case UNIQUE_CONFLICT -> unique();
            case GROUP_SEALED, GROUP_NOT_FOUND -> !job.terms().group().isEmpty();
            // A store that hangs makes the node full.
            case NODE_FULL -> true;
            // A clock that jumped may make a job too late before it comes.
            default -> job.notAfter() > 0;
        };
    }

    public boolean unique() {
        return !job.terms().uniqueKey().isEmpty();
    }

    /** The same key with another body. */
    public Request withOtherBody(int otherNumber) {
        NewJob other = new NewJob(
                job.type(),
                payload(otherNumber, 0),
                0,
                job.priority(),
                0,
                0,
                0,
                0,
                0,
                job.idempotencyKey(),
                otherNumber,
                Map.of(),
                Map.of(),
                job.terms());
        return new Request(otherNumber, tenant, other, true);
    }

    @Override
    public String toString() {
        return "#" + number + (keyed() ? " key " + tenant.number() + "/" + job.idempotencyKey() : "");
    }
}
