package dev.fairlane.objects;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Objects in a bucket. What fits in one part is put at once, larger ones in parts; a put that fails half-way is aborted, so that
 * nothing is kept. At most one part of a put is in memory.
 */
public final class S3Store implements ObjectStore {
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(60);

    /** Names of metadata come back in lower case. */
    private static final String WRITER = "fairlane-writer";

    private final S3Client client;
    private final S3Config config;
    private final String prefix;

    private S3Store(S3Client client, S3Config config) {
        this.client = client;
        this.config = config;
        this.prefix =
                config.prefix().isEmpty() || config.prefix().endsWith("/") ? config.prefix() : config.prefix() + "/";
    }

    public static S3Store open(S3Config config) {
        S3ClientBuilder builder = S3Client.builder()
                .httpClient(UrlConnectionHttpClient.builder()
                        .connectionTimeout(CONNECT_WITHIN)
                        .socketTimeout(ANSWER_WITHIN)
                        .build())
                .region(Region.of(config.region()))
                .forcePathStyle(config.pathStyle())
                // Many compatible servers do not know the newer checksums.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
        if (!config.endpoint().isEmpty()) {
            builder.endpointOverride(URI.create(config.endpoint()));
        }
        if (!config.accessKey().isEmpty()) {
            builder.credentialsProvider(StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(config.accessKey(), config.secretKey())));
        }
        return new S3Store(builder.build(), config);
    }

    @Override
    public ObjectInfo put(String name, InputStream bytes, long size, boolean onlyIfAbsent) {
        ObjectName.check(name);
        if (onlyIfAbsent && head(name).isPresent()) {
            throw ObjectFault.alreadyThere(name);
        }
        String writer = UUID.randomUUID().toString();
        byte[] buffer =
                new byte[size == UNKNOWN ? config.partBytes() : (int) Math.min(size + 1, (long) config.partBytes())];
        int first = fill(bytes, buffer, name);
        if (first < buffer.length) {
            requireSize(name, size, first);
            RequestBody body = RequestBody.fromBytes(Arrays.copyOf(buffer, first));
            write(
                    name,
                    writer,
                    () -> client.putObject(
                            put -> {
                                put.bucket(config.bucket()).key(prefix + name).metadata(Map.of(WRITER, writer));
                                if (onlyIfAbsent) {
                                    put.ifNoneMatch("*");
                                }
                            },
                            body));
        } else {
            putInParts(name, bytes, size, onlyIfAbsent, buffer, writer);
        }
        return head(name).orElseThrow(() -> ObjectFault.notFound(name));
    }

    /**
     * A write whose answer was lost is sent again by the client, and one that must be the first is then refused because of itself: what
     * is there names its writer.
     */
    private void write(String name, String writer, Supplier<?> call) {
        try {
            ask(name, call);
        } catch (ObjectFault fault) {
            if (fault.kind() != ObjectFault.Kind.ALREADY_THERE || !writtenBy(name, writer)) {
                throw fault;
            }
        }
    }

    private boolean writtenBy(String name, String writer) {
        HeadObjectResponse there = ask(
                name,
                () -> client.headObject(head -> head.bucket(config.bucket()).key(prefix + name)));
        return writer.equals(there.metadata().get(WRITER));
    }

    private void putInParts(
            String name, InputStream bytes, long size, boolean onlyIfAbsent, byte[] buffer, String writer) {
        String upload = ask(
                name,
                () -> client.createMultipartUpload(create -> create.bucket(config.bucket())
                                .key(prefix + name)
                                .metadata(Map.of(WRITER, writer)))
                        .uploadId());
        boolean complete = false;
        try {
            List<CompletedPart> parts = new ArrayList<>();
            long written = 0;
            int n = buffer.length;
            while (n > 0) {
                written += n;
                if (size != UNKNOWN && written > size) {
                    throw ObjectFault.wrongSize(name, size, written);
                }
                parts.add(part(name, upload, parts.size() + 1, buffer, n));
                n = fill(bytes, buffer, name);
            }
            requireSize(name, size, written);
            write(
                    name,
                    writer,
                    () -> client.completeMultipartUpload(done -> {
                        done.bucket(config.bucket())
                                .key(prefix + name)
                                .uploadId(upload)
                                .multipartUpload(all -> all.parts(parts));
                        if (onlyIfAbsent) {
                            done.ifNoneMatch("*");
                        }
                    }));
            complete = true;
        } finally {
            if (!complete) {
                abort(name, upload);
            }
        }
    }

    private CompletedPart part(String name, String upload, int number, byte[] buffer, int length) {
        RequestBody body = RequestBody.fromBytes(length == buffer.length ? buffer : Arrays.copyOf(buffer, length));
        String tag = ask(
                name,
                () -> client.uploadPart(
                                part -> part.bucket(config.bucket())
                                        .key(prefix + name)
                                        .uploadId(upload)
                                        .partNumber(number),
                                body)
                        .eTag());
        return CompletedPart.builder().partNumber(number).eTag(tag).build();
    }

    /** Best effort: the bucket's own rule for incomplete uploads removes what cannot be aborted now. */
    private void abort(String name, String upload) {
        try {
            client.abortMultipartUpload(
                    abort -> abort.bucket(config.bucket()).key(prefix + name).uploadId(upload));
        } catch (SdkException e) {
            System.getLogger(S3Store.class.getName())
                    .log(System.Logger.Level.WARNING, "cannot abort the upload of {0}: {1}", name, e.getMessage());
        }
    }

    private static int fill(InputStream bytes, byte[] buffer, String name) {
        try {
            return bytes.readNBytes(buffer, 0, buffer.length);
        } catch (IOException e) {
            throw new ObjectFault(
                    ObjectFault.Kind.BROKEN_SOURCE, "the bytes of " + name + " broke off: " + e.getMessage(), e);
        }
    }

    private static void requireSize(String name, long size, long came) {
        if (size != UNKNOWN && came != size) {
            throw ObjectFault.wrongSize(name, size, came);
        }
    }

    @Override
    public ObjectBody get(String name, long from, long length) {
        ObjectInfo info = head(name).orElseThrow(() -> ObjectFault.notFound(name));
        if (from < 0 || from > info.size()) {
            throw ObjectFault.invalidRange(name, from, info.size());
        }
        long part = length == UNKNOWN ? info.size() - from : Math.min(length, info.size() - from);
        if (part == 0) {
            return new ObjectBody(info, from, 0, InputStream.nullInputStream());
        }
        ResponseInputStream<GetObjectResponse> bytes = ask(
                name,
                () -> client.getObject(get -> {
                    get.bucket(config.bucket()).key(prefix + name);
                    if (part < info.size()) {
                        get.range("bytes=" + from + "-" + (from + part - 1));
                    }
                }));
        return new ObjectBody(info, from, part, bytes);
    }

    @Override
    public Optional<ObjectInfo> head(String name) {
        ObjectName.check(name);
        try {
            HeadObjectResponse found =
                    client.headObject(head -> head.bucket(config.bucket()).key(prefix + name));
            return Optional.of(new ObjectInfo(name, found.contentLength(), found.lastModified()));
        } catch (S3Exception e) {
            if (e.statusCode() == 404) {
                return Optional.empty();
            }
            throw fault(name, e);
        } catch (SdkException e) {
            throw fault(name, e);
        }
    }

    @Override
    public Page list(String namePrefix, String after, int max) {
        ObjectName.checkPrefix(namePrefix);
        ObjectName.checkMax(max);
        var answer = ask(
                namePrefix,
                () -> client.listObjectsV2(list -> {
                    list.bucket(config.bucket()).prefix(prefix + namePrefix).maxKeys(max);
                    if (!after.isEmpty()) {
                        list.startAfter(prefix + after);
                    }
                }));
        List<ObjectInfo> objects = answer.contents().stream()
                .map(object ->
                        new ObjectInfo(object.key().substring(prefix.length()), object.size(), object.lastModified()))
                .toList();
        return new Page(objects, Boolean.TRUE.equals(answer.isTruncated()));
    }

    @Override
    public void delete(String name) {
        ObjectName.check(name);
        ask(
                name,
                () -> client.deleteObject(
                        delete -> delete.bucket(config.bucket()).key(prefix + name)));
    }

    @Override
    public void close() {
        client.close();
    }

    private static <T> T ask(String name, Supplier<T> call) {
        try {
            return call.get();
        } catch (SdkException e) {
            throw fault(name, e);
        }
    }

    private static ObjectFault fault(String name, SdkException e) {
        if (e instanceof S3Exception refused && !(e instanceof NoSuchBucketException)) {
            switch (refused.statusCode()) {
                case 404:
                    return ObjectFault.notFound(name);
                case 409, 412:
                    return ObjectFault.alreadyThere(name);
                case 401, 403:
                    return new ObjectFault(
                            ObjectFault.Kind.DENIED, "the object store refuses us: " + e.getMessage(), e);
                default:
                    break;
            }
        }
        return ObjectFault.unavailable("the object store failed on " + name, e);
    }
}
