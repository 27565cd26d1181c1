package dev.fairlane.server.openapi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The document as it is in the repository. */
public final class OpenApi {
    private static final String STORED = read();

    private OpenApi() {}

    public static String stored() {
        return STORED;
    }

    private static String read() {
        try (InputStream in = Objects.requireNonNull(OpenApi.class.getResourceAsStream("/openapi.json"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
