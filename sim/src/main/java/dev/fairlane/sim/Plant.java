package dev.fairlane.sim;

import static dev.fairlane.sim.world.FaultKind.CLOCK_JUMP;
import static dev.fairlane.sim.world.FaultKind.NODE_CRASH;
import static dev.fairlane.sim.world.FaultKind.RIVAL;
import static dev.fairlane.sim.world.FaultKind.STORE_FAILOVER;
import static dev.fairlane.sim.world.FaultKind.STORE_SLOW;
import static dev.fairlane.sim.world.FaultKind.STORE_STALL;
import static dev.fairlane.sim.world.FaultKind.TAKEOVER;
import static dev.fairlane.sim.world.FaultKind.WORKER_PAUSE;
import static dev.fairlane.sim.world.Part.CAPS;
import static dev.fairlane.sim.world.Part.CHECKPOINTS;
import static dev.fairlane.sim.world.Part.DEAD_LETTERS;
import static dev.fairlane.sim.world.Part.GATES;
import static dev.fairlane.sim.world.Part.GROUPS;
import static dev.fairlane.sim.world.Part.KINDS;
import static dev.fairlane.sim.world.Part.SCHEDULES;

import dev.fairlane.journal.memory.InMemoryStore.Fault;
import dev.fairlane.runtime.Sabotage;
import dev.fairlane.sim.world.Scenario;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Bugs put in on purpose: a simulator that does not find them is broken. Each says in what kind of worlds it is looked for; every such
 * world could also be drawn by chance.
 */
public enum Plant {
    ACK_BEFORE_COMMIT(
            Sabotage.ACK_BEFORE_COMMIT,
            "replies leave before their batch is durable",
            drawn -> drawn.often(NODE_CRASH)),
    READ_UNCOMMITTED(
            Sabotage.READ_UNCOMMITTED, "reads show what may never be committed", drawn -> drawn.often(NODE_CRASH)),
    EXPIRE_WITH_HEARTBEAT_QUEUED(
            Sabotage.EXPIRE_UNDRAINED,
            "a lease runs out while its heartbeat waits in the node's inbox",
            drawn -> drawn.cramped().often(STORE_STALL)),
    TOKEN_REUSE_AFTER_RESTART(
            Sabotage.REUSE_TOKENS,
            "tokens are counted from the start again after a restart",
            drawn -> drawn.often(NODE_CRASH)),
    ANSWER_WITHOUT_TENURE(
            Sabotage.ANSWER_WITHOUT_TENURE,
            "a node that was away for longer than its lease answers from memory",
            drawn -> drawn.reading().often(TAKEOVER)),
    KEY_EVICTED_BEFORE_STORED(
            Sabotage.SEAL_KEYS_UNSTORED,
            "a key leaves memory while a look-up that began before it was stored can still come back",
            drawn -> drawn.sealing().often(STORE_STALL)),
    FILTER_FORGOTTEN_AT_RESTART(
            Sabotage.FORGET_SEALED_KEYS,
            "a start does not learn which keys of earlier hours are stored",
            drawn -> drawn.sealing().often(NODE_CRASH)),
    LEFT_OUT_JOB_FORGOTTEN_AT_RESTART(
            Sabotage.FORGET_LEFT_OUT,
            "a start does not learn which waiting jobs are in the journal alone",
            drawn -> drawn.flooded().often(NODE_CRASH)),
    GATE_FORGOTTEN_AT_RESTART(
            Sabotage.FORGET_GATES,
            "a start does not learn what is paused",
            drawn -> drawn.using(GATES).often(NODE_CRASH)),
    UNIQUE_KEY_FREED_AT_RESTART(
            Sabotage.FORGET_KINDS,
            "a start does not learn which open jobs are the only ones of their kind",
            drawn -> drawn.using(KINDS).often(NODE_CRASH)),
    CAP_LEAKED_ON_CRASH(
            Sabotage.FORGET_CAPPED,
            "executions from before a restart do not count against their cap",
            drawn -> drawn.using(CAPS).often(NODE_CRASH)),
    MEMBER_COUNTED_TWICE(
            Sabotage.COUNT_MEMBERS_TWICE,
            "a group counts the end of a member again when it is replayed from the tail",
            drawn -> drawn.using(GROUPS).often(NODE_CRASH)),
    CALLBACK_LOST_ON_CRASH(
            Sabotage.CALL_BACK_LATER,
            "a group's callback is submitted a moment after the group is done, not in the same step",
            drawn -> drawn.using(GROUPS).often(NODE_CRASH)),
    AUDIT_ENTRY_LOST_ON_CRASH(
            Sabotage.AUDIT_LATER,
            "a change is written down in the audit a moment after it was made, not in the same step",
            drawn -> drawn.using(GATES).often(NODE_CRASH)),
    CHECKPOINT_FROM_STALE_TOKEN(
            Sabotage.CHECKPOINT_ANY_TOKEN,
            "a checkpoint is taken whatever its token is",
            drawn -> drawn.using(CHECKPOINTS).often(WORKER_PAUSE)),
    REPLAY_BEFORE_ITS_END_IS_STORED(
            Sabotage.REPLAY_UNFLUSHED,
            "a dead job is brought back while its end is on its way to the store",
            drawn -> drawn.using(DEAD_LETTERS)),
    CHANGE_OF_ANY_REVISION(
            Sabotage.IGNORE_REVISION, "a change is made to another revision than it was meant for", drawn -> drawn),
    TICK_FIRED_TWICE_AFTER_CLOCK_JUMP(
            Sabotage.TICKS_FOLLOW_CLOCK,
            "schedules go back with a clock that is put back",
            drawn -> drawn.using(SCHEDULES).often(CLOCK_JUMP)),
    TICK_NOT_RECORDED_WITH_ITS_JOB(
            Sabotage.RECORD_TICKS_LATER,
            "that a tick was dealt with is recorded a moment after its job was submitted, not in the same step",
            drawn -> drawn.using(SCHEDULES).often(NODE_CRASH)),
    FAR_JOB_LOADED_TWICE(
            Sabotage.LET_FAR_JOBS_IN_TWICE,
            "a far job that is read in the store is let in again though it was here meanwhile, and ended",
            drawn -> drawn.nearSighted().often(STORE_SLOW)),
    FAR_JOB_FORGOTTEN_AT_THE_HORIZON(
            Sabotage.FORGET_FAR_JOBS, "loading ahead leaves out the jobs of a moment", Scenario::nearSighted),
    FENCE_WITHOUT_LOCK(
            Fault.APPEND_WITHOUT_LOCK,
            "an append checks that its log is open and holds no lock until it commits",
            drawn -> drawn.often(RIVAL)),
    APPEND_WITHOUT_FENCE(
            Fault.APPEND_WITHOUT_FENCE,
            "an append does not check that its log is still open",
            drawn -> drawn.often(RIVAL)),
    FLUSH_WITHOUT_FENCE(
            Fault.FLUSH_WITHOUT_FENCE, "a projection neither locks nor checks its log", drawn -> drawn.often(RIVAL)),
    FLUSH_WITHOUT_LOCK(
            Fault.FLUSH_WITHOUT_LOCK,
            "a projection checks that its log is open and holds no lock until it commits",
            drawn -> drawn.often(STORE_SLOW, RIVAL)),
    OPEN_WITHOUT_LOCK(
            Fault.OPEN_WITHOUT_LOCK,
            "a takeover does not wait for appends that are under way",
            drawn -> drawn.often(STORE_SLOW, RIVAL)),
    TAIL_READ_BEFORE_CLOSE(
            Fault.TAIL_READ_BEFORE_CLOSE,
            "a takeover reads the tail before it has closed the log",
            drawn -> drawn.often(RIVAL)),
    RESOLVE_WITHOUT_MARKER(
            Fault.RESOLVE_WITHOUT_MARKER,
            "an unknown outcome is resolved by simply asking",
            drawn -> drawn.often(STORE_FAILOVER));

    final @Nullable Sabotage sabotage;
    final @Nullable Fault fault;
    final UnaryOperator<Scenario> where;
    private final String description;

    Plant(Sabotage sabotage, String description, UnaryOperator<Scenario> where) {
        this(sabotage, null, description, where);
    }

    Plant(Fault fault, String description, UnaryOperator<Scenario> where) {
        this(null, fault, description, where);
    }

    Plant(@Nullable Sabotage sabotage, @Nullable Fault fault, String description, UnaryOperator<Scenario> where) {
        this.sabotage = sabotage;
        this.fault = fault;
        this.description = description;
        this.where = where;
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
