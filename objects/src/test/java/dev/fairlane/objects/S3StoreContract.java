package dev.fairlane.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a real server of the S3 API, with signed requests. */
class S3StoreContract extends StoreContract {
    private static BlobStore blobs;
    private static S3Proxy proxy;
    private static URI endpoint;

    private ObjectStore store;

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
        endpoint = URI.create("http://127.0.0.1:" + proxy.getPort());
    }

    @AfterAll
    static void stop() throws Exception {
        proxy.stop();
        blobs.close();
    }

    @BeforeEach
    void open() {
        store = S3Store.open(config("secret", "bucket", UUID.randomUUID().toString()));
    }

    private static S3Config config(String secret, String bucket, String prefix) {
        return config(endpoint.toString(), secret, bucket, prefix);
    }

    private static S3Config config(String address, String secret, String bucket, String prefix) {
        return new S3Config(address, "us-east-1", bucket, prefix, true, "access", secret, S3Config.PART_BYTES);
    }

    @Override
    ObjectStore store() {
        return store;
    }

    @Test
    void aFirstWriteWhoseAnswerIsLostIsNotRefusedForItself() throws IOException {
        try (LosingRelay relay = LosingRelay.to(proxy.getPort());
                ObjectStore unlucky = S3Store.open(config(relay.address(), "secret", "bucket", "lost"))) {
            relay.loseNextAnswerToPut();
            byte[] bytes = "mine".getBytes(StandardCharsets.UTF_8);
            unlucky.put("once", new ByteArrayInputStream(bytes), bytes.length, true);

            assertThat(relay.lost()).isEqualTo(1);
            assertThat(catchThrowableOfType(
                                    ObjectFault.class,
                                    () -> unlucky.put("once", new ByteArrayInputStream(bytes), bytes.length, true))
                            .kind())
                    .isEqualTo(ObjectFault.Kind.ALREADY_THERE);
        }
    }

    @Test
    void aWrongKeyIsDenied() {
        try (ObjectStore denied = S3Store.open(config("wrong", "bucket", ""))) {
            assertThat(catchThrowableOfType(ObjectFault.class, () -> denied.list("", "", 1))
                            .kind())
                    .isEqualTo(ObjectFault.Kind.DENIED);
        }
    }

    @Test
    void aBucketThatIsNotThereIsNoMissingObject() {
        try (ObjectStore nowhere = S3Store.open(config("secret", "no-such-bucket", ""))) {
            assertThat(catchThrowableOfType(ObjectFault.class, () -> nowhere.list("", "", 1))
                            .kind())
                    .isEqualTo(ObjectFault.Kind.UNAVAILABLE);
        }
    }
}
