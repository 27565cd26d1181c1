package dev.fairlane.e2e.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaModifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Same inputs, same outputs, byte for byte: what the core may see, and what it may not ask the machine for. */
class CorePurityTest {
    private static final String CORE = "dev.fairlane.core..";

    @Test
    void coreSeesValuesAndCollectionsOfJavaBaseOnly() {
        classes()
                .that()
                .resideInAPackage(CORE)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        CORE,
                        "java.lang",
                        "java.lang.annotation",
                        "java.lang.invoke",
                        "java.lang.runtime",
                        "java.math",
                        "java.nio.charset", // turns text into bytes and back; touches no channel
                        "java.time..",
                        "java.util",
                        "java.util.function",
                        "java.util.stream",
                        "org.jspecify.annotations",
                        "") // primitives
                .check(House.CLASSES);
    }

    @Test
    void coreHasNoClockThreadRandomOrEnvironment() {
        noClasses()
                .that()
                .resideInAPackage(CORE)
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.lang\\.(Thread.*|InheritableThreadLocal|Process.*|Runtime|ScopedValue.*)"
                        + "|java\\.time\\.(Clock|InstantSource)"
                        + "|java\\.util\\.(Random|SplittableRandom|Timer|TimerTask|WeakHashMap|IdentityHashMap)")
                .orShould()
                .accessTargetWhere(ASKS_THE_MACHINE)
                .check(House.CLASSES);
        noMethods()
                .that()
                .areDeclaredInClassesThat()
                .resideInAPackage(CORE)
                .should()
                .haveModifier(JavaModifier.SYNCHRONIZED)
                .allowEmptyShould(true)
                .check(House.CLASSES);
    }

    /** Iteration over {@code Set.of} and {@code Map.of} differs from one JVM to the next, by design of the JDK. */
    @Test
    void coreUsesNoCollectionsWhoseOrderDiffersBetweenRuns() {
        noClasses()
                .that()
                .resideInAPackage(CORE)
                .should()
                .callMethodWhere(describe("makes an immutable set or map of more than one element", call -> {
                    int arguments = call.getTarget().getRawParameterTypes().size();
                    return switch (call.getTargetOwner().getName() + "." + call.getName()) {
                        case "java.util.Set.copyOf", "java.util.Map.copyOf", "java.util.Map.ofEntries" -> true;
                        case "java.util.Set.of" -> arguments > 1;
                        case "java.util.Map.of" -> arguments > 2;
                        default -> false;
                    };
                }))
                .check(House.CLASSES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"admission", "share", "lease", "outcome", "time", "flow"})
    void packagesOfTheCoreSeeTheModelAndNeverEachOther(String part) {
        classes()
                .that()
                .resideInAPackage("dev.fairlane.core." + part + "..")
                .should()
                .onlyDependOnClassesThat(describe(
                        "are the model, their own package, or outside the core",
                        type -> !type.getPackageName().startsWith("dev.fairlane.core")
                                || type.getPackageName().startsWith("dev.fairlane.core.model")
                                || type.getPackageName().startsWith("dev.fairlane.core." + part)))
                .allowEmptyShould(true)
                .check(House.CLASSES);
    }

    @Test
    void theModelStandsAlone() {
        noClasses()
                .that()
                .resideInAPackage("dev.fairlane.core.model..")
                .should()
                .dependOnClassesThat(describe(
                        "are in the core but not in the model",
                        type -> type.getPackageName().startsWith("dev.fairlane.core.")
                                && !type.getPackageName().startsWith("dev.fairlane.core.model")))
                .check(House.CLASSES);
    }

    private static final DescribedPredicate<JavaAccess<?>> ASKS_THE_MACHINE = describe(
            "asks the machine for time, randomness, identity or environment",
            access -> switch (access.getTargetOwner().getName()) {
                case "java.lang.System" ->
                    !access.getName().equals("arraycopy") && !access.getName().equals("lineSeparator");
                case "java.lang.Math" -> access.getName().equals("random");
                case "java.util.UUID" -> access.getName().equals("randomUUID");
                case "java.util.Collections" -> access.getName().equals("shuffle");
                default ->
                    access.getTargetOwner().getPackageName().startsWith("java.time")
                            && (access.getName().equals("now")
                                    || access.getName().equals("systemDefault"));
            });
}
