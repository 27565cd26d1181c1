package dev.fairlane.server.admit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Digests are stored with keys for a day: they must be what they were. */
class BodyDigestTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void isWhatTheLibrarysHasherSays(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            BodyDigest digest = new BodyDigest(random.nextInt(1, 40));
            Hasher hasher = Hashing.murmur3_128().newHasher();
            int parts = random.nextInt(12);
            for (int i = 0; i < parts; i++) {
                put(random, digest, hasher);
            }
            assertThat(digest.digest())
                    .as("%d parts", parts)
                    .isEqualTo(hasher.hash().asLong());
        }
    }

    private static void put(Random random, BodyDigest digest, Hasher hasher) {
        switch (random.nextInt(5)) {
            case 0 -> {
                int number = random.nextInt();
                digest.putInt(number);
                hasher.putInt(number);
            }
            case 1 -> {
                long number = random.nextLong();
                digest.putLong(number);
                hasher.putLong(number);
            }
            case 2 -> {
                boolean is = random.nextBoolean();
                digest.putBoolean(is);
                hasher.putBoolean(is);
            }
            case 3 -> {
                byte[] bytes = new byte[random.nextInt(100)];
                random.nextBytes(bytes);
                digest.putBytes(bytes);
                hasher.putBytes(bytes);
            }
            default -> {
                String text = "größe \uD83D\uDE00 ".repeat(random.nextInt(4));
                digest.putText(text);
                hasher.putInt(text.length()).putString(text, StandardCharsets.UTF_8);
            }
        }
    }

    @Test
    void nothingIsZero() {
        assertThat(new BodyDigest(1).digest()).isZero();
    }
}
