package dev.fairlane.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.protocol.v1.Problem;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ErrorCodeTest {
    private static final Path PAGE = Path.of("..", "docs", "reference", "errors.md");

    /** Run with {@code -Dfairlane.update} to write the page anew. */
    @Test
    void theReferencePageListsTheCatalogue() throws IOException {
        String expected = page();
        if (System.getProperty("fairlane.update") != null) {
            Files.createDirectories(PAGE.getParent());
            Files.writeString(PAGE, expected);
        }
        assertThat(PAGE).hasContent(expected);
    }

    @Test
    void whatIsTheCallersFaultIsNeverAServerStatusAndTheOtherWayRound() {
        assertThat(ErrorCode.values())
                .allSatisfy(code -> assertThat(code.httpStatus() >= 500)
                        .as(code.name())
                        .isEqualTo(code.fault() == ErrorCode.Fault.SERVER
                                || code.fault() == ErrorCode.Fault.LIMIT && code.httpStatus() != 429));
    }

    @Test
    void whatMayBeSentAgainLaterHasAStatusThatSaysSo() {
        assertThat(ErrorCode.values())
                .filteredOn(code -> code.retry() == ErrorCode.Retry.LATER)
                .extracting(ErrorCode::httpStatus)
                .containsOnly(429, 503);
    }

    @Test
    void aProblemSurvivesTheWayThroughAGrpcStatus() {
        Problem problem = Problem.newBuilder()
                .setCode("DEPTH_LIMIT")
                .setDetail("10 of 10 open jobs")
                .setField("jobs")
                .setRetryAfterMs(1_500)
                .build();
        StatusRuntimeException status = ProblemStatus.toStatus(problem, "4bf92f3577b34da6a3ce929d0e0e4736");
        assertThat(status.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(ProblemStatus.problemOf(status)).contains(problem);
    }

    @Test
    void aFailureOfSomebodyElseIsNoProblemOfOurs() {
        assertThat(ProblemStatus.problemOf(Status.UNAVAILABLE.asRuntimeException()))
                .isEmpty();
        assertThat(ProblemStatus.problemOf(new IllegalStateException("no status")))
                .isEmpty();
    }

    @Test
    void codesOfNewerServersAreNotInTheCatalogue() {
        assertThat(ErrorCode.find("JOB_NOT_FOUND")).contains(ErrorCode.JOB_NOT_FOUND);
        assertThat(ErrorCode.find("INVENTED_LATER")).isEmpty();
        assertThat(ErrorCode.IDEMPOTENCY_KEY_REUSED.type()).isEqualTo("/problems/idempotency-key-reused");
    }

    private static String page() {
        String rows = Arrays.stream(ErrorCode.values())
                .map(code -> "| `%s` | %d | %s | %s | %s | %s | %s |"
                        .formatted(
                                code.name(),
                                code.httpStatus(),
                                code.grpcCode(),
                                switch (code.fault()) {
                                    case CALLER -> "the call";
                                    case LIMIT -> "a limit";
                                    case SERVER -> "the server";
                                },
                                switch (code.retry()) {
                                    case NO -> "no";
                                    case LATER -> "yes, later";
                                    case SAME_KEY -> "with the same idempotency key";
                                },
                                code.counted() ? "✓" : "",
                                code.title()))
                .collect(Collectors.joining("\n"));
        return """
                # Errors

                Every refusal has a stable code. In REST it is an RFC 9457 problem (`application/problem+json`) with the members `type`
                (`/problems/` and the code in lower case with dashes), `title`, `status`, `detail`, `code`, and where they help `field`,
                `trace_id` and `retry_after` (seconds, as in the header `Retry-After`). In gRPC it is a status with
                `google.rpc.ErrorInfo` (`reason` is the code, `domain` is `fairlane`, metadata `field` and `trace_id`) and, where it
                helps, `google.rpc.RetryInfo`. In a batch each refused item carries its own.

                Codes with a mark under *numbers* are about more than there may be. Their refusals also have `limit`, what there may be, and
                `present`, what there was (of something that was not read to its end: at least), in the unit that `detail` names; in gRPC they
                are metadata of the ErrorInfo. What may be sent again later always says when.

                This page is written from the catalogue by `ErrorCodeTest`.

                | code | HTTP | gRPC | fault of | send again? | numbers | meaning |
                | --- | --- | --- | --- | --- | --- | --- |
                %s
                """.formatted(rows);
    }
}
