package dev.fairlane.core.model;

import java.util.List;

/** What was decided: facts to apply and journal, and what the asker hears after their commit. */
public record Decision(List<Fact> facts, Answer answer) {
    public static final Decision NOTHING = new Decision(List.of(), Answer.Nothing.INSTANCE);

    public static Decision of(Answer answer, Fact fact) {
        return new Decision(List.of(fact), answer);
    }

    public static Decision of(Answer answer, Fact... facts) {
        return new Decision(List.of(facts), answer);
    }

    public static Decision refused(RefusalCode code, String message) {
        return new Decision(List.of(), Answer.Refused.of(code, message));
    }
}
