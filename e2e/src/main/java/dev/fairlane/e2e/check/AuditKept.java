package dev.fairlane.e2e.check;

import dev.fairlane.e2e.history.Event;
import dev.fairlane.e2e.history.History;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** I7: the audit's chains hold, and each acked cancel has one entry, in every reading of the audit that began after it. */
final class AuditKept implements Invariant {
    @Override
    public void check(History history, Consumer<Violation> found) {
        Map<String, Long> readings = new TreeMap<>();
        history.events(Event.AuditRead.class).forEach(read -> readings.merge(read.pass(), read.at(), Math::min));
        history.events(Event.ChainRead.class).forEach(read -> {
            if (!read.holds()) {
                found.accept(
                        new Violation(Rule.AUDIT_BROKEN, read.chain(), "does not verify in reading " + read.pass()));
            }
        });
        Map<String, Integer> entries = new HashMap<>();
        history.events(Event.Audited.class)
                .filter(entry -> entry.action().equals("job.cancel"))
                .forEach(entry -> entries.merge(entry.pass() + " " + entry.target(), 1, Integer::sum));
        history.events(Event.CancelAnswered.class)
                .filter(cancel -> !cancel.outcome().equals("ALREADY_DONE"))
                .forEach(cancel -> readings.forEach((pass, begin) -> {
                    int count = entries.getOrDefault(pass + " job/" + cancel.job(), 0);
                    if (cancel.at() < begin && count != 1) {
                        found.accept(new Violation(
                                Rule.AUDIT_MISSING,
                                cancel.job(),
                                "its cancel was acked and has " + count + " entries in reading " + pass));
                    }
                }));
    }
}
