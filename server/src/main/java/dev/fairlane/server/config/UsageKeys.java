package dev.fairlane.server.config;

import static dev.fairlane.server.config.Form.PRICE;
import static dev.fairlane.server.config.Form.TEXT;

import dev.fairlane.server.config.Keys.PoolKeys;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is asked for what was used. */
final class UsageKeys {
    private static final Key<String> CURRENCY =
            Key.of("usage.currency", TEXT, "", "Name of the currency of the prices, shown with amounts");
    private static final Key<BigDecimal> JOB =
            Key.of("usage.price.job", PRICE, "0", "Price of a job that ran and came to its end");

    private static final Form<Optional<BigDecimal>> PRICE_OR_NOT = new Form<>(
            PRICE.expected(),
            text -> text.isEmpty() ? Optional.empty() : Optional.of(PRICE.read().apply(text)));

    static final List<Key<?>> ALL = List.of(CURRENCY, JOB);

    private UsageKeys() {}

    /** Of one pool. */
    record Prices(Key<Optional<BigDecimal>> job, Key<BigDecimal> slotSecond) {
        List<Key<?>> all() {
            return List.of(job, slotSecond);
        }
    }

    static Prices prices(String pool) {
        return new Prices(
                Key.of(
                        "usage.price.job_of." + pool,
                        PRICE_OR_NOT,
                        "",
                        "Price of a job of this pool; not set: usage.price.job"),
                Key.of("usage.price.slot_second." + pool, PRICE, "0", "Price of a second of a slot of this pool"));
    }

    static ServerConfig.Billing billing(Settings settings) {
        Map<String, ServerConfig.Price> pools = new HashMap<>();
        for (PoolKeys pool : settings.pools()) {
            pools.put(
                    pool.pool(),
                    new ServerConfig.Price(
                            settings.get(pool.prices().job()).orElse(settings.get(JOB)),
                            settings.get(pool.prices().slotSecond())));
        }
        return new ServerConfig.Billing(
                settings.get(CURRENCY), new ServerConfig.Price(settings.get(JOB), BigDecimal.ZERO), Map.copyOf(pools));
    }
}
