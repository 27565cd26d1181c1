package dev.fairlane.server.webhook;

import dev.fairlane.journal.WebhookSecretStore.Secret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Proof that a call comes from here: {@code t=<seconds>,v1=<hex>}, one v1 for each secret that counts. */
final class Signature {
    static final String HEADER = "fairlane-signature";

    private static final String ALGORITHM = "HmacSHA256";

    private Signature() {}

    static String of(List<Secret> secrets, long atSeconds, byte[] body) {
        StringBuilder header = new StringBuilder("t=").append(atSeconds);
        for (Secret secret : secrets) {
            header.append(",v1=").append(HexFormat.of().formatHex(digest(secret, atSeconds, body)));
        }
        return header.toString();
    }

    private static byte[] digest(Secret secret, long atSeconds, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.text().getBytes(StandardCharsets.UTF_8), ALGORITHM));
            mac.update((atSeconds + ".").getBytes(StandardCharsets.UTF_8));
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }
}
