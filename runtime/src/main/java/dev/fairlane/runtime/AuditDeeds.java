package dev.fairlane.runtime;

import dev.fairlane.core.model.AuditDeed;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobChange;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.shard.Engine;
import dev.fairlane.core.shard.JobSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a command that was decided on does, for the audit. Reads the engine as it is before the facts are applied. */
final class AuditDeeds {
    private final Engine engine;

    AuditDeeds(Engine engine) {
        this.engine = engine;
    }

    /** @param chain the tenant it concerns, {@code name} what it is called; 0 and empty for the system */
    record Described(TenantId chain, String name, AuditDeed deed) {}

    /** @param facts what follows, at least one */
    Described of(Command command, List<Fact> facts) {
        return switch (command) {
            case Command.PutTenant put -> putTenant(put, facts);
            case Command.PutType put -> putType("type.put", put.tenant(), put.name(), facts);
            case Command.ReleaseType release -> putType("type.release", release.tenant(), release.name(), facts);
            case Command.SetGate set -> setGate(set);
            case Command.Cancel cancel ->
                job("job.cancel", cancel.id(), facts.getFirst() instanceof Fact.JobEnded ? "at once" : "requested");
            case Command.Revise revise -> job("job.change", revise.id(), inWords(revise.change()));
            case Command.Pause pause -> job(pause.paused() ? "job.pause" : "job.resume", pause.id(), "");
            case Command.Replay replay ->
                of(
                        replay.spec().tenant(),
                        new AuditDeed(
                                "job.replay",
                                "job/" + replay.spec().id(),
                                replay.payload() == null ? "" : "payload edited",
                                replay.why()));
            case Command.PutSchedule put -> putSchedule(put.id(), facts);
            case Command.PauseSchedule pause ->
                schedule(pause.paused() ? "schedule.pause" : "schedule.resume", pause.id(), "", pause.why());
            case Command.DeleteSchedule delete -> schedule("schedule.delete", delete.id(), "", "");
            case Command.TriggerSchedule trigger -> schedule("schedule.trigger", trigger.id(), "", "");
            default -> throw new IllegalArgumentException("expected a change by somebody, but got " + command);
        };
    }

    /** A deed on what the engine does not know. */
    Described of(TenantId chain, AuditDeed deed) {
        Tenant tenant = engine.tenant(chain);
        return new Described(chain, tenant == null ? "" : tenant.name(), deed);
    }

    private Described putTenant(Command.PutTenant put, List<Fact> facts) {
        Tenant after = facts.stream()
                .filter(Fact.TenantSet.class::isInstance)
                .map(fact -> ((Fact.TenantSet) fact).tenant())
                .findFirst()
                .orElseThrow();
        Tenant before = engine.tenant(put.name());
        Portrait is = Portrait.of(after);
        Portrait bare = Portrait.of(new Tenant(after.id(), after.name(), 0, 0));
        return new Described(
                after.id(),
                after.name(),
                new AuditDeed(
                        "tenant.put",
                        "tenant/" + after.name(),
                        before == null ? is.made(bare) : Portrait.of(before).until(is),
                        "",
                        before == null ? "" : Portrait.of(before).digest(),
                        is.digest()));
    }

    private Described putType(String action, TenantId tenant, String name, List<Fact> facts) {
        JobType after = facts.stream()
                .filter(Fact.TypeSet.class::isInstance)
                .map(fact -> ((Fact.TypeSet) fact).type())
                .findFirst()
                .orElseThrow();
        JobType before = engine.type(tenant, name);
        Portrait is = Portrait.of(after);
        Portrait bare = Portrait.of(new JobType(tenant, name, "", 0, 0, 0));
        return of(
                tenant,
                new AuditDeed(
                        action,
                        "type/" + name,
                        before == null ? is.made(bare) : Portrait.of(before).until(is),
                        "",
                        before == null ? "" : Portrait.of(before).digest(),
                        is.digest()));
    }

    private Described putSchedule(ScheduleName id, List<Fact> facts) {
        Schedule before = engine.schedule(id);
        Schedule after = facts.stream()
                .filter(Fact.ScheduleSet.class::isInstance)
                .map(fact -> ((Fact.ScheduleSet) fact).schedule())
                .findFirst()
                .orElseThrow();
        List<String> changes = new ArrayList<>();
        if (before == null || !before.rules().equals(after.rules())) {
            changes.add("rules");
        }
        if (before == null || !before.job().equals(after.job())) {
            changes.add("job");
        }
        return schedule("schedule.put", id, before == null ? "made" : String.join(", ", changes) + " set", "");
    }

    private Described schedule(String action, ScheduleName id, String summary, String why) {
        return of(id.tenant(), new AuditDeed(action, "schedule/" + id.name(), summary, why));
    }

    private Described setGate(Command.SetGate set) {
        String kind = set.kind().name().toLowerCase(Locale.ROOT);
        String action = kind + (set.closed() ? ".pause" : ".resume");
        boolean everybody = set.kind() == Gate.Kind.POOL || set.kind() == Gate.Kind.SYSTEM;
        Described described = of(everybody ? Gate.EVERYBODY : set.tenant(), new AuditDeed(action, "", "", set.why()));
        String name = set.kind() == Gate.Kind.TENANT ? described.name : set.name();
        return new Described(
                described.chain,
                described.name,
                new AuditDeed(action, name.isEmpty() ? kind : kind + "/" + name, "", set.why()));
    }

    private Described job(String action, JobId id, String summary) {
        JobSnapshot job = engine.job(id);
        if (job == null) {
            throw new IllegalStateException("expected an open job, but " + id + " is not in memory");
        }
        return of(job.tenant(), new AuditDeed(action, "job/" + id, summary, ""));
    }

    static String inWords(JobChange change) {
        List<String> changes = new ArrayList<>();
        if (change.priority() != JobChange.KEEP) {
            changes.add("priority " + change.priority());
        }
        if (change.lane() != null) {
            changes.add("lane " + change.lane());
        }
        named(changes, "payload", change.payload());
        named(changes, "tags", change.tags());
        named(changes, "due time", change.runAt() == JobChange.KEEP ? null : change);
        named(changes, "last time to start", change.notAfter() == JobChange.KEEP ? null : change);
        return String.join("; ", changes);
    }

    private static void named(List<String> changes, String name, @Nullable Object given) {
        if (given != null) {
            changes.add(name + " changed");
        }
    }
}
