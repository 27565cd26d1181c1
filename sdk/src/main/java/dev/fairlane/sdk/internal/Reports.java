package dev.fairlane.sdk.internal;

import dev.fairlane.protocol.v1.Report;
import dev.fairlane.protocol.v1.Success;
import dev.fairlane.protocol.v1.WorkerFailure;
import dev.fairlane.protocol.v1.WorkerMessage;
import java.util.ArrayDeque;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** What is to be told to the server, in messages of bounded size. Only the loop uses it. */
final class Reports {
    static final int ITEMS_MAX = 1_000;
    static final int BYTES_MAX = 1 << 20;

    private final Outbox outbox;
    private final ArrayDeque<Execution> started = new ArrayDeque<>();
    /** Told before, on a link that was lost before it was acked. */
    private final ArrayDeque<Execution> again = new ArrayDeque<>();
    /** Taken from the outbox and not told yet. */
    private @Nullable Execution taken;

    Reports(Outbox outbox) {
        this.outbox = outbox;
    }

    void started(Execution execution) {
        started.add(execution);
    }

    /** After a reconnect: everything that has ended is told again, and everything that runs says again that it started. */
    void tellAgain(Collection<Execution> held) {
        // What waits in the outbox is held too and has ended: it is told once, from here.
        outbox.takeAll();
        taken = null;
        started.clear();
        again.clear();
        for (Execution execution : held) {
            if (execution.ended()) {
                again.add(execution);
            } else {
                execution.startedSent = false;
            }
        }
    }

    boolean any() {
        return taken != null || !outbox.isEmpty() || !again.isEmpty() || !started.isEmpty();
    }

    WorkerMessage next() {
        Report.Builder report = Report.newBuilder();
        int items = 0;
        int bytes = 0;
        while (items < ITEMS_MAX && bytes < BYTES_MAX) {
            Execution execution = nextEnded();
            if (execution == null) {
                break;
            }
            bytes += add(execution, report);
            items++;
        }
        for (; items < ITEMS_MAX && !started.isEmpty(); items++) {
            Execution execution = started.remove();
            // One that has ended in the meantime says so in this or the next report.
            if (execution.running()) {
                report.addStarted(execution.ref());
            }
        }
        return WorkerMessage.newBuilder().setReport(report).build();
    }

    private @Nullable Execution nextEnded() {
        if (!again.isEmpty()) {
            return again.remove();
        }
        if (taken == null) {
            taken = outbox.takeAll();
        }
        Execution execution = taken;
        if (execution != null) {
            taken = execution.next;
            execution.linkTo(null);
        }
        return execution;
    }

    private static int add(Execution execution, Report.Builder report) {
        Success success = execution.success();
        WorkerFailure failure = execution.failed();
        if (execution.handedOver()) {
            report.addHandedOver(execution.ref());
        } else if (success != null) {
            report.addSucceeded(success);
        } else if (failure != null) {
            report.addFailed(failure);
        }
        return execution.outcomeBytes();
    }
}
