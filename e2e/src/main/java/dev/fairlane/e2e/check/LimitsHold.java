package dev.fairlane.e2e.check;

import dev.fairlane.e2e.history.History;
import java.util.TreeSet;
import java.util.function.Consumer;

/** I9: at no instant do more executions with live leases run than a cap or the limit of a key says. */
final class LimitsHold implements Invariant {
    @Override
    public void check(History history, Consumer<Violation> found) {
        for (Crowd crowd : Crowd.in(history)) {
            if (crowd.most() == 0) {
                found.accept(new Violation(Rule.NOT_READ, crowd.limit(), "nobody says how many there may be"));
            } else if (crowd.executions().size() > crowd.most()) {
                found.accept(new Violation(
                        Rule.OVER_LIMIT,
                        crowd.limit(),
                        "expected at most " + crowd.most() + " at once, but at " + crowd.at() + " there were "
                                + new TreeSet<>(crowd.executions())));
            }
        }
    }
}
