package dev.fairlane.server;

import dev.fairlane.core.model.AdmissionRules;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.journal.Journal;
import dev.fairlane.runtime.NodeConfig;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** A store whose commits take as long as it is told: what waits before a node's loop can be filled and looked at. */
public final class PacedStore {
    private final AtomicLong commits = new AtomicLong();
    private final Supplier<CompletableFuture<Void>> pace;

    /** @param pace asked at every append, which is answered when what it gives is done */
    public PacedStore(Supplier<CompletableFuture<Void>> pace) {
        this.pace = pace;
    }

    /** Appends that were answered. */
    public long commits() {
        return commits.get();
    }

    /** The same journal at this pace. */
    public Journal behind(Journal inner) {
        return (Journal) Proxy.newProxyInstance(
                PacedStore.class.getClassLoader(), new Class<?>[] {Journal.class}, (_, method, arguments) -> {
                    try {
                        Object answer = method.invoke(inner, arguments);
                        return method.getName().equals("append") ? paced((CompletableFuture<?>) answer) : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private CompletableFuture<?> paced(CompletableFuture<?> append) {
        return append.thenCombine(pace.get(), (done, _) -> {
            commits.incrementAndGet();
            return done;
        });
    }

    /**
     * Of a node that takes little at once, and has patience with the store.
     *
     * @param maxWaiting jobs that may wait before the loop
     * @param calls decided in a turn
     * @param facts gathered while a commit is under way
     */
    public static NodeConfig config(int maxWaiting, int calls, int facts) {
        NodeConfig usual = NodeConfig.named("test");
        NodeConfig.Commits commits = usual.commits();
        return usual.withEngine(patient(EngineConfig.DEFAULT))
                .withIntake(new NodeConfig.Intake(maxWaiting, calls))
                .withCommits(new NodeConfig.Commits(facts, commits.busyFacts(), commits.spacingMicros()))
                .withPatience(
                        new NodeConfig.Patience(60_000_000, usual.patience().retryMicros(), 60_000_000));
    }

    private static EngineConfig patient(EngineConfig usual) {
        AdmissionRules rules = usual.admission();
        return usual.withAdmission(
                new AdmissionRules(rules.submitRates(), 600_000_000, rules.degradedPercent(), rules.fullPercent()));
    }
}
