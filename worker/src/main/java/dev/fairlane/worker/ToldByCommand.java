package dev.fairlane.worker;

import dev.fairlane.sdk.FailureDetail;
import dev.fairlane.sdk.FailureName;
import java.io.Serializable;

/** A failure that a command told by its exit code: what it wrote to stderr says more than a stack trace of ours. */
interface ToldByCommand extends FailureDetail, FailureName {

    /** How the command ended. */
    Ending ending();

    @Override
    default String failureDetail() {
        return ending().stderr();
    }

    @Override
    default String failureName() {
        return "exit-" + ending().exit();
    }

    /** @param stderr the end of what it wrote there */
    record Ending(int exit, String stderr) implements Serializable {
        String message() {
            String how = exit > 128 ? "ended by signal " + (exit - 128) : "exit " + exit;
            String lines = stderr.strip();
            String last = lines.substring(lines.lastIndexOf('\n') + 1).strip();
            return last.isEmpty() ? how : how + ": " + last;
        }
    }
}
