package dev.fairlane.sdk;

import dev.fairlane.protocol.v1.ControlGrpc;
import dev.fairlane.protocol.v1.ListPausesRequest;
import dev.fairlane.protocol.v1.PauseRequest;
import dev.fairlane.protocol.v1.PauseState;
import dev.fairlane.protocol.v1.ResumeRequest;
import dev.fairlane.sdk.internal.Rpc;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/**
 * Holding back all jobs of a type, a lane, a tenant, a pool, or of all. Submits are still taken, what runs runs on, and jobs keep their
 * places. Pausing and resuming twice does no harm.
 *
 * <pre>{@code
 * fairlane.pauses().pause(Pauses.Target.type("send_email"), "the mail partner is down");
 * fairlane.pauses().resume(Pauses.Target.type("send_email"), "it is back");
 * }</pre>
 */
public final class Pauses {
    private final Rpc rpc;

    Pauses(Rpc rpc) {
        this.rpc = rpc;
    }

    /** Of what kind something is that can be paused. */
    public enum Kind {
        TYPE,
        LANE,
        /** Needs an admin key. */
        TENANT,
        /** Needs an admin key that sees all tenants. */
        POOL,
        /** Maintenance: nothing is given to workers. Needs an admin key that sees all tenants. */
        SYSTEM;

        private String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * What to pause or resume.
     *
     * @param name empty for the system, and for the key's own tenant
     * @param tenant whose type or lane, for keys that see all tenants; empty for that of the client
     */
    public record Target(Kind kind, String name, String tenant) {
        public static Target type(String name) {
            return new Target(Kind.TYPE, name, "");
        }

        public static Target lane(String name) {
            return new Target(Kind.LANE, name, "");
        }

        public static Target tenant(String name) {
            return new Target(Kind.TENANT, name, "");
        }

        public static Target pool(Pool pool) {
            return new Target(Kind.POOL, pool.wireName(), "");
        }

        /** Everything: the system is in maintenance then. */
        public static Target system() {
            return new Target(Kind.SYSTEM, "", "");
        }

        /** The type or lane of this tenant, for keys that see all. */
        public Target of(String owner) {
            return new Target(kind, name, owner);
        }
    }

    /**
     * How something stands.
     *
     * @param by name of the key that paused or resumed it last
     */
    public record Pause(Target target, boolean paused, String by, String why, Instant changedAt) {}

    public Pause pause(Target target, String why) {
        PauseRequest request = PauseRequest.newBuilder()
                .setKind(target.kind().text())
                .setName(target.name())
                .setTenant(target.tenant())
                .setWhy(why)
                .build();
        return pause(rpc.call(ControlGrpc.getPauseMethod(), request, Rpc.Repeat.SAFE));
    }

    public Pause resume(Target target, String why) {
        ResumeRequest request = ResumeRequest.newBuilder()
                .setKind(target.kind().text())
                .setName(target.name())
                .setTenant(target.tenant())
                .setWhy(why)
                .build();
        return pause(rpc.call(ControlGrpc.getResumeMethod(), request, Rpc.Repeat.SAFE));
    }

    /** All that is paused and the key sees; single paused jobs are not among it. */
    public List<Pause> list() {
        return rpc
                .call(ControlGrpc.getListPausesMethod(), ListPausesRequest.getDefaultInstance(), Rpc.Repeat.SAFE)
                .getPausesList()
                .stream()
                .map(Pauses::pause)
                .toList();
    }

    private static Pause pause(PauseState state) {
        Kind kind = Kind.valueOf(state.getKind().toUpperCase(Locale.ROOT));
        boolean owned = kind == Kind.TYPE || kind == Kind.LANE;
        return new Pause(
                new Target(kind, state.getName(), owned ? state.getTenant() : ""),
                state.getPaused(),
                state.getBy(),
                state.getWhy(),
                Instant.EPOCH.plus(state.getChangedAtMicros(), ChronoUnit.MICROS));
    }
}
