package dev.fairlane.runtime;

import dev.fairlane.core.model.Answer;
import java.util.List;

/** @param position where the answers are durable */
public record SubmitReply(List<Answer> answers, Position position) {}
