package dev.fairlane.sdk;

import dev.fairlane.protocol.v1.DeadLetterFilter;
import dev.fairlane.protocol.v1.DeadLettersGrpc;
import dev.fairlane.protocol.v1.ListDeadRequest;
import dev.fairlane.protocol.v1.ListDeadResponse;
import dev.fairlane.protocol.v1.PurgeDeadRequest;
import dev.fairlane.protocol.v1.ReplayDeadRequest;
import dev.fairlane.protocol.v1.ReplayJobRequest;
import dev.fairlane.protocol.v1.SummarizeDeadRequest;
import dev.fairlane.sdk.internal.Codec;
import dev.fairlane.sdk.internal.Rpc;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The dead-letter queue: jobs that were given up. A replay brings a job back with its id and idempotency key, and counts its
 * attempts from zero.
 *
 * <pre>{@code
 * var dead = fairlane.deadLetters();
 * var timeouts = DeadLetters.Filter.ALL.type("send_email").failureClass("TIMEOUT");
 * dead.list(timeouts).forEach(job -> System.out.println(job.id()));
 * var operation = dead.replayAll(timeouts, 50, 5, "mail server is back");
 * }</pre>
 */
public final class DeadLetters {
    private final Rpc rpc;
    private final Codec codec;

    DeadLetters(Rpc rpc, Codec codec) {
        this.rpc = rpc;
        this.codec = codec;
    }

    /**
     * Which dead letters: all that fit everything that is set; empty and null stand for "any".
     *
     * @param text somewhere in the failure's message, upper and lower case alike
     * @param from died at or after
     * @param to died before
     * @param tenant for keys that see all tenants
     */
    public record Filter(
            String type,
            String failureClass,
            String text,
            @Nullable Instant from,
            @Nullable Instant to,
            String tenant) {
        /** Every dead letter the key sees. */
        public static final Filter ALL = new Filter("", "", "", null, null, "");

        public Filter type(String name) {
            return new Filter(name, failureClass, text, from, to, tenant);
        }

        /** One like {@code APP_ERROR} or {@code TIMEOUT}. */
        public Filter failureClass(String name) {
            return new Filter(type, name, text, from, to, tenant);
        }

        public Filter text(String part) {
            return new Filter(type, failureClass, part, from, to, tenant);
        }

        public Filter between(@Nullable Instant start, @Nullable Instant end) {
            return new Filter(type, failureClass, text, start, end, tenant);
        }

        public Filter tenant(String name) {
            return new Filter(type, failureClass, text, from, to, name);
        }

        private DeadLetterFilter message() {
            boolean all = equals(ALL.tenant(tenant));
            return DeadLetterFilter.newBuilder()
                    .setType(type)
                    .setErrorClass(failureClass)
                    .setText(text)
                    .setFromMicros(micros(from))
                    .setToMicros(micros(to))
                    .setTenant(tenant)
                    .setAll(all)
                    .build();
        }
    }

    /** What a replay of one job came to. */
    public enum ReplayOutcome {
        REPLAYED,
        /** Somebody was faster: it is open. */
        ALREADY_OPEN,
        /** It ended in another way and stays so. */
        NOT_DEAD
    }

    /** @param lastHour of these, how many died within the last hour */
    public record Group(String tenant, String type, String failureClass, long count, long lastHour) {}

    /** The last to die first, fetched a page at a time while the stream is read; without payloads and details. */
    public Stream<JobInfo> list(Filter filter) {
        return Stream.iterate(
                        page(filter, ""),
                        page -> page != null,
                        page -> page.getNextCursor().isEmpty() ? null : page(filter, page.getNextCursor()))
                .flatMap(page -> page.getJobsList().stream())
                .map(job -> new JobInfo(
                        job,
                        codec,
                        id -> rpc.bytes().result(id),
                        id -> rpc.bytes().payload(id)));
    }

    private @Nullable ListDeadResponse page(Filter filter, String cursor) {
        return rpc.call(
                DeadLettersGrpc.getListDeadMethod(),
                ListDeadRequest.newBuilder()
                        .setType(filter.type())
                        .setErrorClass(filter.failureClass())
                        .setText(filter.text())
                        .setFromMicros(micros(filter.from()))
                        .setToMicros(micros(filter.to()))
                        .setTenant(filter.tenant())
                        .setPageSize(500)
                        .setCursor(cursor)
                        .build(),
                Rpc.Repeat.SAFE);
    }

    /** Counted by tenant, type and class, the largest group first. */
    public List<Group> summary(Filter filter) {
        return rpc
                .call(
                        DeadLettersGrpc.getSummarizeDeadMethod(),
                        SummarizeDeadRequest.newBuilder()
                                .setType(filter.type())
                                .setErrorClass(filter.failureClass())
                                .setText(filter.text())
                                .setFromMicros(micros(filter.from()))
                                .setToMicros(micros(filter.to()))
                                .setTenant(filter.tenant())
                                .build(),
                        Rpc.Repeat.SAFE)
                .getGroupsList()
                .stream()
                .map(group -> new Group(
                        group.getTenant(),
                        group.getType(),
                        group.getErrorClass(),
                        group.getCount(),
                        group.getLastHour()))
                .toList();
    }

    /** Brings one job back as it is. Asking twice does no harm. */
    public ReplayOutcome replay(String id, String why) {
        return replayed(ReplayJobRequest.newBuilder().setId(id).setWhy(why));
    }

    /** Brings one job back with another payload, written as the client writes payloads. */
    public ReplayOutcome replay(String id, Object payload, String why) {
        var encoded = codec.encode(payload);
        return replayed(ReplayJobRequest.newBuilder()
                .setId(id)
                .setWhy(why)
                .setPayload(encoded.bytes())
                .setContentType(encoded.contentType()));
    }

    private ReplayOutcome replayed(ReplayJobRequest.Builder request) {
        var answer = rpc.call(DeadLettersGrpc.getReplayJobMethod(), request.build(), Rpc.Repeat.SAFE);
        return ReplayOutcome.valueOf(answer.getOutcome().toUpperCase(Locale.ROOT));
    }

    /**
     * Begins to bring back all that fit, the oldest first.
     *
     * @param rate jobs a second, at most; 0: as fast as the server takes them
     * @param canaries so many first: the others follow when all of these have succeeded; 0 for none
     */
    public Operation replayAll(Filter filter, int rate, int canaries, String why) {
        return Operation.of(rpc.call(
                DeadLettersGrpc.getReplayDeadMethod(),
                ReplayDeadRequest.newBuilder()
                        .setFilter(filter.message())
                        .setRate(rate)
                        .setCanary(canaries)
                        .setWhy(why)
                        .build(),
                Rpc.Repeat.ONLY_IF_NOT_DONE));
    }

    /** Begins to remove all that fit, for good. Needs an admin key. */
    public Operation purge(Filter filter, String why) {
        return Operation.of(rpc.call(
                DeadLettersGrpc.getPurgeDeadMethod(),
                PurgeDeadRequest.newBuilder()
                        .setFilter(filter.message())
                        .setWhy(why)
                        .build(),
                Rpc.Repeat.ONLY_IF_NOT_DONE));
    }

    private static long micros(@Nullable Instant time) {
        return time == null ? 0 : ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }
}
