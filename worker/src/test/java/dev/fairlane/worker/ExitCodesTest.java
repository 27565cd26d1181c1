package dev.fairlane.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.sdk.DependencyFailedException;
import dev.fairlane.sdk.FailureName;
import dev.fairlane.sdk.NonRetryableException;
import dev.fairlane.sdk.ResourceViolationException;
import dev.fairlane.sdk.RetryAfterException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExitCodesTest {
    @Test
    void codesMeanWhatWasSaid() {
        ExitCodes codes = ExitCodes.with(List.of(
                "3=non_retryable", "4=rate_limited:30", "5=dependency:smtp", "6=RESOURCE_VIOLATION", "65=app_error"));
        assertThat(codes.failure(3, "")).isInstanceOf(NonRetryableException.class);
        assertThat(codes.failure(4, ""))
                .isInstanceOfSatisfying(
                        RetryAfterException.class,
                        later -> assertThat(later.retryAfter()).isEqualTo(Duration.ofSeconds(30)));
        assertThat(codes.failure(5, ""))
                .isInstanceOfSatisfying(
                        DependencyFailedException.class,
                        failed -> assertThat(failed.dependency()).isEqualTo("smtp"));
        assertThat(codes.failure(6, "")).isInstanceOf(ResourceViolationException.class);
        assertThat(codes.failure(65, "")).isInstanceOf(CommandFailed.class);
        assertThat(codes.failure(78, "")).as("others as usual").isInstanceOf(NonRetryableException.class);
    }

    @Test
    void aFailureIsKnownByItsCode() {
        for (int exit : new int[] {1, 65, 69, 75, 137}) {
            assertThat(ExitCodes.USUAL.failure(exit, ""))
                    .isInstanceOfSatisfying(
                            FailureName.class,
                            named -> assertThat(named.failureName()).isEqualTo("exit-" + exit));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "3",
                "=app_error",
                "x=app_error",
                "0=app_error",
                "256=app_error",
                "3=",
                "3=maybe",
                "3=rate_limited:soon",
                "3=non_retryable:1",
                "3=dependency:"
            })
    void whatCannotBeReadIsSaid(String given) {
        assertThatThrownBy(() -> ExitCodes.with(List.of(given)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--exit");
    }
}
