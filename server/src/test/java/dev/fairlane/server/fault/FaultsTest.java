package dev.fairlane.server.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.ClosedSessionException;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.journal.JournalFault;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.runtime.NodeFault;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FaultsTest {
    @ParameterizedTest
    @EnumSource(
            value = NodeFault.Kind.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"UNKNOWN_POSITION", "OVERLOADED"})
    void everyFaultOfANodeHasACode(NodeFault.Kind kind) {
        Refused told = Faults.of(new CompletionException(new NodeFault(kind, "secret detail")), "t");
        assertThat(told.code().name()).isEqualTo(kind.name());
        assertThat(told.detail()).doesNotContain("secret");
        assertThat(told.code().fault()).isNotEqualTo(ErrorCode.Fault.CALLER);
        assertThat(told.retryAfterMs() > 0).isEqualTo(kind != NodeFault.Kind.INTERNAL);
    }

    @Test
    void anOverloadedNodeSaysOfWhatAndHowMuch() {
        Refused told = Faults.of(new CompletionException(NodeFault.overloaded("7 of 5 things", 5, 7)), "t");
        assertThat(told.code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(told.detail()).isEqualTo("7 of 5 things");
        assertThat(told.limit()).isEqualTo(5);
        assertThat(told.present()).isEqualTo(7);
        assertThat(told.retryAfterMs()).isPositive();
    }

    @Test
    void aPositionThatWasNeverGivenOutIsBadInput() {
        Refused told = Faults.of(new NodeFault(NodeFault.Kind.UNKNOWN_POSITION, "beyond"), "t");
        assertThat(told.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(told.code().fault()).isEqualTo(ErrorCode.Fault.CALLER);
    }

    @ParameterizedTest
    @EnumSource(RefusalCode.class)
    void everyRefusalOfTheCoreHasACode(RefusalCode code) {
        Refused told = Refused.of(new Refusal(code, "why", 0, 1, 2));
        assertThat(told.code().name()).isEqualTo(code.name());
        assertThat(told.detail()).isEqualTo("why");
        assertThat(told.retryAfterMs() > 0).isEqualTo(told.code().retry() == ErrorCode.Retry.LATER);
    }

    @Test
    void anythingElseIsABugOfOursAndSaysNothing() {
        Refused told = Faults.of(new IllegalStateException("the password is 1234"), "t");
        assertThat(told.code()).isEqualTo(ErrorCode.INTERNAL);
        assertThat(told.detail()).doesNotContain("1234");
    }

    @Test
    void aStoreThatFailsIsNotTheCallersFault() {
        assertThat(Faults.of(new JournalFault.Unavailable("gone", null), "t").code())
                .isEqualTo(ErrorCode.STORE_UNAVAILABLE);
    }

    @Test
    void aCallerWhoHungUpIsNoBug() {
        assertThat(Faults.of(ClosedSessionException.get(), "t").code()).isEqualTo(ErrorCode.NOT_SERVING);
    }

    @Test
    void pathsGrowFromTheInside() {
        Refused refused = Refused.invalid("priority", "x").inside("[3]").inside("jobs");
        assertThat(refused.field()).isEqualTo("jobs[3].priority");
    }
}
