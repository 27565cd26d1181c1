package dev.fairlane.journal.memory;

import dev.fairlane.journal.memory.StoreOperation.Stage;
import java.util.ArrayList;
import java.util.List;

/** An executor that runs nothing by itself: a test says which operation takes its next step. */
final class SteppedOperations implements StepExecutor {
    private final List<StoreOperation<?>> all = new ArrayList<>();

    @Override
    public void execute(StoreOperation<?> operation) {
        all.add(operation);
    }

    /** The newest operation. */
    StoreOperation<?> last() {
        return all.getLast();
    }

    /** Steps one operation until it is about to do this, waits, or is done. */
    static StoreOperation<?> until(StoreOperation<?> operation, Stage stage) {
        while (operation.runnable() && operation.next() != stage) {
            operation.step();
        }
        return operation;
    }

    /** Steps one operation as far as it goes. */
    static StoreOperation<?> finish(StoreOperation<?> operation) {
        return until(operation, Stage.DONE);
    }

    /** Steps everything as far as it goes, oldest first. */
    void finishAll() {
        boolean advanced = true;
        while (advanced) {
            advanced = false;
            for (StoreOperation<?> operation : List.copyOf(all)) {
                advanced |= operation.runnable();
                finish(operation);
            }
        }
    }
}
