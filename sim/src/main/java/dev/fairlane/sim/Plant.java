package dev.fairlane.sim;

import static dev.fairlane.sim.world.FaultKind.NODE_CRASH;
import static dev.fairlane.sim.world.FaultKind.RIVAL;
import static dev.fairlane.sim.world.FaultKind.STORE_FAILOVER;
import static dev.fairlane.sim.world.FaultKind.STORE_SLOW;
import static dev.fairlane.sim.world.FaultKind.STORE_STALL;
import static dev.fairlane.sim.world.FaultKind.TAKEOVER;

import dev.fairlane.journal.memory.InMemoryStore.Fault;
import dev.fairlane.runtime.Sabotage;
import dev.fairlane.sim.world.FaultKind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Bugs put in on purpose: a simulator that does not find them is broken. */
public enum Plant {
    ACK_BEFORE_COMMIT(Sabotage.ACK_BEFORE_COMMIT, "replies leave before their batch is durable", NODE_CRASH),
    READ_UNCOMMITTED(Sabotage.READ_UNCOMMITTED, "reads show what may never be committed", NODE_CRASH),
    EXPIRE_WITH_HEARTBEAT_QUEUED(
            Sabotage.EXPIRE_UNDRAINED, "a lease runs out while its heartbeat waits in the node's inbox", STORE_STALL),
    TOKEN_REUSE_AFTER_RESTART(
            Sabotage.REUSE_TOKENS, "tokens are counted from the start again after a restart", NODE_CRASH),
    ANSWER_WITHOUT_TENURE(
            Sabotage.ANSWER_WITHOUT_TENURE,
            "a node that was away for longer than its lease answers from memory",
            TAKEOVER),
    FENCE_WITHOUT_LOCK(
            Fault.APPEND_WITHOUT_LOCK,
            "an append checks that its log is open and holds no lock until it commits",
            RIVAL),
    APPEND_WITHOUT_FENCE(Fault.APPEND_WITHOUT_FENCE, "an append does not check that its log is still open", RIVAL),
    FLUSH_WITHOUT_FENCE(Fault.FLUSH_WITHOUT_FENCE, "a projection neither locks nor checks its log", RIVAL),
    FLUSH_WITHOUT_LOCK(
            Fault.FLUSH_WITHOUT_LOCK,
            "a projection checks that its log is open and holds no lock until it commits",
            STORE_SLOW,
            RIVAL),
    OPEN_WITHOUT_LOCK(Fault.OPEN_WITHOUT_LOCK, "a takeover does not wait for appends that are under way", RIVAL),
    TAIL_READ_BEFORE_CLOSE(
            Fault.TAIL_READ_BEFORE_CLOSE, "a takeover reads the tail before it has closed the log", RIVAL),
    RESOLVE_WITHOUT_MARKER(
            Fault.RESOLVE_WITHOUT_MARKER, "an unknown outcome is resolved by simply asking", STORE_FAILOVER);

    final @Nullable Sabotage sabotage;
    final @Nullable Fault fault;
    final List<FaultKind> provokedBy;
    private final String description;

    Plant(Sabotage sabotage, String description, FaultKind... provokedBy) {
        this(sabotage, null, description, provokedBy);
    }

    Plant(Fault fault, String description, FaultKind... provokedBy) {
        this(null, fault, description, provokedBy);
    }

    /** @param provokedBy faults without which the bug hardly shows, given to every world it is looked for in */
    Plant(@Nullable Sabotage sabotage, @Nullable Fault fault, String description, FaultKind... provokedBy) {
        this.sabotage = sabotage;
        this.fault = fault;
        this.description = description;
        this.provokedBy = List.of(provokedBy);
    }

    /** As it is written on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public String description() {
        return description;
    }

    public static Optional<Plant> named(String label) {
        return Arrays.stream(values())
                .filter(plant -> plant.label().equals(label))
                .findFirst();
    }
}
