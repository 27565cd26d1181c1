package dev.fairlane.e2e.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** The runtime is driven from outside, so that the simulator can be the one who drives. */
class RuntimePurityTest {
    private static final String RUNTIME = "dev.fairlane.runtime..";

    private static final Set<String> POOLS = Set.of(
            "java.util.concurrent.Executors",
            "java.util.concurrent.ForkJoinPool",
            "java.util.concurrent.ScheduledThreadPoolExecutor",
            "java.util.concurrent.ThreadPoolExecutor",
            "java.util.Timer");

    @Test
    void runtimeSeesNeitherPostgresNorTheWire() {
        noClasses()
                .that()
                .resideInAPackage(RUNTIME)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.sql..",
                        "javax.sql..",
                        "java.net..",
                        "org.postgresql..",
                        "com.zaxxer..",
                        "org.jdbi..",
                        "io.grpc..",
                        "io.netty..",
                        "com.linecorp..")
                .check(House.CLASSES);
    }

    @Test
    void runtimeStartsNoThreads() {
        noClasses()
                .that()
                .resideInAPackage(RUNTIME)
                .should()
                .accessTargetWhere(STARTS_THREADS)
                .check(House.CLASSES);
    }

    @Test
    void timeAndRandomnessAreHandedToTheRuntime() {
        noClasses()
                .that()
                .resideInAPackage(RUNTIME)
                .should()
                .accessTargetWhere(ASKS_THE_MACHINE)
                .check(House.CLASSES);
    }

    private static final DescribedPredicate<JavaAccess<?>> STARTS_THREADS = describe("starts threads", access -> {
        String owner = access.getTargetOwner().getName();
        return switch (owner) {
            case "java.lang.Thread" ->
                !Set.of("currentThread", "interrupt", "interrupted", "isInterrupted", "getName", "onSpinWait")
                        .contains(access.getName());
            default -> POOLS.contains(owner) || runsOnTheCommonPool(access);
        };
    });

    /** {@code thenApplyAsync(f)} and its like, without an executor, borrow the JDK's common pool. */
    private static boolean runsOnTheCommonPool(JavaAccess<?> access) {
        boolean async = access.getName().endsWith("Async")
                || Set.of("orTimeout", "completeOnTimeout", "delayedExecutor").contains(access.getName());
        if (!async || !access.getTargetOwner().isAssignableTo(CompletionStage.class)) {
            return false;
        }
        return access.getTarget().resolveMember().stream()
                .map(JavaCodeUnit.class::cast)
                .noneMatch(method ->
                        method.getRawParameterTypes().stream().anyMatch(type -> type.isAssignableTo(Executor.class)));
    }

    private static final DescribedPredicate<JavaAccess<?>> ASKS_THE_MACHINE =
            describe("asks the machine for time or randomness", access -> switch (access.getTargetOwner()
                    .getName()) {
                case "java.lang.System" ->
                    Set.of("currentTimeMillis", "nanoTime").contains(access.getName());
                case "java.lang.Math" -> access.getName().equals("random");
                case "java.util.UUID" -> access.getName().equals("randomUUID");
                case "java.util.concurrent.ThreadLocalRandom", "java.security.SecureRandom" -> true;
                case "java.time.Clock", "java.time.InstantSource" ->
                    access.getName().startsWith("system") || access.getName().startsWith("tick");
                default ->
                    access.getTargetOwner().getPackageName().startsWith("java.time")
                            && access.getName().equals("now");
            });
}
