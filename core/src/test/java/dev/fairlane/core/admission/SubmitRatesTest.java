package dev.fairlane.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubmitRatesTest {
    private static final long SECOND = 1_000_000;
    private static final int TENANT = 3;

    private final SubmitRates rates = new SubmitRates();
    private long now = 1_700_000_000_000_000L;

    @Test
    void a_tenant_nobody_has_heard_of_may_submit_one_seconds_worth_at_once() {
        assertThat(submit(100, 1_000)).isEqualTo(100);
        assertThat(rates.present(TENANT, 100, now)).isEqualTo(100);
    }

    @Test
    void tenants_do_not_share_a_bucket() {
        submit(100, 1_000);
        assertThat(rates.waitMicros(TENANT + 1_000, 100, now)).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 10, 100, 999, 10_000, 1_000_000})
    void who_waits_as_told_is_let_in_and_not_a_microsecond_sooner(int rate) {
        submit(rate, rate + 1);
        long wait = rates.waitMicros(TENANT, rate, now);
        assertThat(wait).isEqualTo(Math.ceilDiv(SECOND, rate));
        now += wait - 1;
        assertThat(rates.waitMicros(TENANT, rate, now)).isEqualTo(1);
        now += 1;
        assertThat(submit(rate, 2)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 100, 3_333, 1_000_000})
    void over_any_time_no_more_is_let_in_than_the_rate_says_and_one_seconds_worth(int rate) {
        SplittableRandom random = new SplittableRandom(rate);
        long began = now;
        long taken = 0;
        for (int i = 0; i < 20_000; i++) {
            now += random.nextLong(2 * SECOND / rate + 1);
            taken += submit(rate, 1 + random.nextInt(3));
        }
        double most = rate + rate * (now - began) / (double) SECOND;
        assertThat((double) taken).isLessThanOrEqualTo(most).isGreaterThanOrEqualTo(most - rate - 1);
    }

    @Test
    void a_long_silence_saves_up_no_more_than_one_seconds_worth() {
        submit(10, 10);
        now += 3_600 * SECOND;
        assertThat(submit(10, 1_000)).isEqualTo(10);
    }

    @Test
    void a_clock_that_steps_back_gives_nothing_away() {
        submit(10, 10);
        now -= 5 * SECOND;
        assertThat(submit(10, 10)).isZero();
    }

    @Test
    void a_lower_rate_counts_from_the_next_job_on() {
        submit(10_000, 10_000);
        assertThat(rates.waitMicros(TENANT, 10, now)).isEqualTo(SECOND / 10);
        now += SECOND;
        assertThat(submit(10, 100)).isEqualTo(10);
    }

    @Test
    void a_node_gives_its_share_of_the_rate() {
        rates.setShare(0.25);
        assertThat(submit(100, 1_000)).isEqualTo(25);
        now += SECOND / 2;
        assertThat(submit(100, 1_000)).isEqualTo(12);
    }

    private int submit(int rate, int jobs) {
        int taken = 0;
        for (int i = 0; i < jobs; i++) {
            if (rates.waitMicros(TENANT, rate, now) == 0) {
                rates.charge(TENANT, rate, now);
                taken++;
            }
        }
        return taken;
    }
}
