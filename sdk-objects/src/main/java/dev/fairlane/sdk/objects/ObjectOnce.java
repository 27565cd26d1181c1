package dev.fairlane.sdk.objects;

import dev.fairlane.sdk.DependencyFailedException;
import dev.fairlane.sdk.EffectKey;
import dev.fairlane.sdk.JobContext;
import java.util.Map;
import java.util.Objects;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Puts an object once per job: with {@code If-None-Match: *}, so the store itself refuses the second one, whoever sends it. What the
 * first attempt has put stays; a later attempt with other bytes changes nothing.
 *
 * <pre>{@code
 * ObjectOnce invoices = ObjectOnce.in(s3, "my-bucket", "invoices/", ".pdf");
 * …
 * .handle("invoice", Order.class, (ctx, order) -> invoices.put(ctx, RequestBody.fromBytes(pdf(order))).name())
 * }</pre>
 *
 * <p>The store must honour {@code If-None-Match} on writes, as Amazon S3 and the current versions of the usual compatible ones do; one that
 * ignores it replaces the object, which {@link #put} cannot notice. Thread-safe.
 */
public final class ObjectOnce {
    private static final int ALREADY_THERE = 412;
    /** Another conditional put of the same name is under way. */
    private static final int CONFLICT = 409;

    private static final String DEPENDENCY = "object-store";

    private final S3Client client;
    private final String bucket;
    private final String prefix;
    private final String suffix;

    private ObjectOnce(S3Client client, String bucket, String prefix, String suffix) {
        this.client = Objects.requireNonNull(client, "client");
        this.bucket = Objects.requireNonNull(bucket, "bucket");
        this.prefix = Objects.requireNonNull(prefix, "prefix");
        this.suffix = Objects.requireNonNull(suffix, "suffix");
    }

    /** Objects are named prefix, effect key, suffix. */
    public static ObjectOnce in(S3Client client, String bucket, String prefix, String suffix) {
        return new ObjectOnce(client, bucket, prefix, suffix);
    }

    /**
     * Where the object of a job is.
     *
     * @param name of the object in its bucket
     * @param putNow false when an earlier attempt has put it
     */
    public record Placed(String name, boolean putNow) {}

    /**
     * Puts the object unless an attempt of this job has put one.
     *
     * @throws dev.fairlane.sdk.LeaseLostException if the lease is lost; nothing was put
     * @throws DependencyFailedException if the store does not do it; whether it was put is then found out by the next attempt
     */
    public Placed put(JobContext context, RequestBody body) {
        return put(context, context.effectKey(), body);
    }

    /**
     * The same for one of several objects of a job.
     *
     * @param key from {@link EffectKey#of}, so that every attempt names it alike
     */
    public Placed put(JobContext context, EffectKey key, RequestBody body) {
        String name = name(key);
        context.checkLease();
        try {
            client.putObject(
                    put -> put.bucket(bucket)
                            .key(name)
                            .ifNoneMatch("*")
                            .metadata(Map.of(
                                    "fairlane-token", context.fencingToken().toString())),
                    body);
            return new Placed(name, true);
        } catch (S3Exception refused) {
            if (refused.statusCode() == ALREADY_THERE) {
                return new Placed(name, false);
            }
            if (refused.statusCode() == CONFLICT || refused.statusCode() >= 500) {
                throw failed(name, refused);
            }
            throw refused;
        } catch (SdkClientException unreachable) {
            throw failed(name, unreachable);
        }
    }

    /** The name of the object for a key: the same on every attempt, so readers can know it beforehand. */
    public String name(EffectKey key) {
        return prefix + key + suffix;
    }

    private static DependencyFailedException failed(String name, RuntimeException why) {
        return new DependencyFailedException(DEPENDENCY, name + " could not be put: " + why.getMessage(), why);
    }
}
