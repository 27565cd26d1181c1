package dev.fairlane.sdk.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.sdk.DependencyFailedException;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobInfo;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.LeaseLostException;
import dev.fairlane.sdk.Worker;
import dev.fairlane.sdk.testing.TestFairlane;
import dev.fairlane.sdk.testing.TestJobContext;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Against a real server of the S3 API, with signed requests. */
class ObjectOnceTest {
    private static BlobStore blobs;
    private static S3Proxy proxy;
    private static S3Client s3;

    private final String prefix = UUID.randomUUID() + "/";
    private final ObjectOnce once = ObjectOnce.in(s3, "bucket", prefix, ".txt");

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        blobs = new FilesystemNio2BlobStore(folder.toString());
        blobs.createContainer("bucket");
        proxy = S3Proxy.builder()
                .blobStore(blobs)
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, "access", "secret")
                .build();
        proxy.start();
        s3 = client(proxy.getPort());
    }

    @AfterAll
    static void stop() throws Exception {
        s3.close();
        proxy.stop();
        blobs.close();
    }

    @Test
    void aJobThatFailsAfterItsPutPutsOnce() {
        AtomicInteger runs = new AtomicInteger();
        // A first call on a busy machine may take a second: its job must not run out of time over it.
        try (TestFairlane test =
                TestFairlane.builder().patience(Duration.ofSeconds(20)).start()) {
            test.worker("invoice", String.class, (ctx, order) -> {
                var placed = once.put(ctx, RequestBody.fromString(order + ", execution " + ctx.execution()));
                if (runs.incrementAndGet() == 1) {
                    throw new IllegalStateException("after the put");
                }
                return placed.putNow();
            });
            JobInfo job = test.run(Job.of("invoice", "tea"));
            assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
            assertThat(job.result(Boolean.class)).isFalse();
            assertThat(names()).containsExactly(prefix + job.id() + ".txt");
        }
        assertThat(runs).hasValue(2);
        assertThat(body(names().getFirst())).isEqualTo("tea, execution 1");
    }

    @Test
    void aJobWhoseWorkerDiesAfterItsPutPutsOnce() throws InterruptedException {
        CountDownLatch put = new CountDownLatch(1);
        try (TestFairlane test = TestFairlane.start()) {
            Worker dying = test.worker("invoice", String.class, (ctx, order) -> {
                once.put(ctx, RequestBody.fromString("of the first"));
                put.countDown();
                new CountDownLatch(1).await();
                return null;
            });
            JobHandle job = test.client().submit(Job.of("invoice", "tea"));
            put.await();
            dying.kill();
            test.worker(
                    "invoice",
                    String.class,
                    (ctx, order) -> once.put(ctx, RequestBody.fromString("of the second"))
                            .name());
            assertThat(test.finish(job).result(String.class)).isEqualTo(prefix + job.id() + ".txt");
        }
        assertThat(names()).hasSize(1);
        assertThat(body(names().getFirst())).isEqualTo("of the first");
    }

    @Test
    void severalObjectsOfAJobHaveNamesOfTheirOwn() {
        TestJobContext context = TestJobContext.of("invoice");
        once.put(context, context.effectKey().of("a"), RequestBody.fromString("a"));
        once.put(context, context.effectKey().of("b"), RequestBody.fromString("b"));
        assertThat(once.put(context.next(), context.effectKey().of("b"), RequestBody.fromString("b"))
                        .putNow())
                .isFalse();
        assertThat(names()).containsExactly(prefix + context.id() + "/a.txt", prefix + context.id() + "/b.txt");
    }

    @Test
    void nothingIsPutWithoutTheLease() {
        TestJobContext lost = TestJobContext.of("invoice");
        lost.loseLease();
        assertThatThrownBy(() -> once.put(lost, RequestBody.fromString("x"))).isInstanceOf(LeaseLostException.class);
        assertThat(names()).isEmpty();
    }

    @Test
    void aStoreThatIsNotThereIsAFailedDependency() {
        try (S3Client nowhere = client(1)) {
            ObjectOnce away = ObjectOnce.in(nowhere, "bucket", prefix, "");
            assertThatThrownBy(() -> away.put(TestJobContext.of("invoice"), RequestBody.fromString("x")))
                    .isInstanceOf(DependencyFailedException.class);
        }
    }

    private List<String> names() {
        return s3.listObjectsV2(list -> list.bucket("bucket").prefix(prefix)).contents().stream()
                .map(S3Object::key)
                .toList();
    }

    private static String body(String name) {
        return s3.getObjectAsBytes(get -> get.bucket("bucket").key(name)).asUtf8String();
    }

    private static S3Client client(int port) {
        return S3Client.builder()
                .httpClient(UrlConnectionHttpClient.create())
                .endpointOverride(URI.create("http://127.0.0.1:" + port))
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("access", "secret")))
                .build();
    }
}
