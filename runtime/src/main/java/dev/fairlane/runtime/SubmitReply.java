package dev.fairlane.runtime;

import dev.fairlane.core.model.Answer;
import java.util.List;

/**
 * @param position where the answers are durable
 * @param quotaWarning the tenant used as much this month as its soft quota says
 */
public record SubmitReply(List<Answer> answers, Position position, boolean quotaWarning) {
    public SubmitReply(List<Answer> answers, Position position) {
        this(answers, position, false);
    }
}
