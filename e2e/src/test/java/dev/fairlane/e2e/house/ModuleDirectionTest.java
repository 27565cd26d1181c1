package dev.fairlane.e2e.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who may use whom. A module may also use what the modules it uses may use; bench and e2e may use everything. */
class ModuleDirectionTest {
    private static final Map<String, Set<String>> MAY_USE = Map.ofEntries(
            Map.entry("core", Set.of()),
            Map.entry("journal", Set.of("core")),
            Map.entry("journal.postgres", Set.of("journal")),
            Map.entry("objects", Set.of()),
            Map.entry("runtime", Set.of("core", "journal")),
            Map.entry("protocol", Set.of()),
            Map.entry("server", Set.of("runtime", "journal", "protocol", "objects")),
            Map.entry("sdk", Set.of("protocol")),
            Map.entry("sdk.http", Set.of("sdk")),
            Map.entry("sdk.jdbc", Set.of("sdk")),
            Map.entry("sdk.kafka", Set.of("sdk")),
            Map.entry("sdk.objects", Set.of("sdk")),
            Map.entry("sdk.testing", Set.of("sdk", "server", "journal")),
            Map.entry("worker", Set.of("sdk")),
            Map.entry("cli", Set.of("sdk")),
            Map.entry("sim", Set.of("runtime", "journal")),
            // sdk: the training of the AOT cache submits and runs jobs
            Map.entry("dist", Set.of("server", "journal.postgres", "sdk")));

    private static final Set<String> FREE = Set.of("bench", "e2e");

    @Test
    void modulesLookOnlyInTheDirectionTheArchitectureAllows() {
        classes().should(lookOnlyWhereAllowed()).check(House.CLASSES);
    }

    @Test
    void internalsOfTheSdkAreSeenByTheSdkOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.fairlane.sdk", "dev.fairlane.sdk.internal..", "dev.fairlane.bench..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.fairlane.sdk..internal..")
                .check(House.CLASSES);
    }

    @Test
    void onlyJournalPostgresSpeaksSql() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.fairlane.journal.postgres..",
                        "dev.fairlane.sdk.jdbc..", // whose SQL is about the user's database
                        "dev.fairlane.dist..",
                        "dev.fairlane.bench..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "javax.sql..", "org.postgresql..", "org.jdbi..", "org.flywaydb..")
                .check(House.CLASSES);
    }

    private static ArchCondition<JavaClass> lookOnlyWhereAllowed() {
        return new ArchCondition<>("use only modules that theirs may use") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                String from = module(type)
                        .orElseThrow(() -> new AssertionError(type.getName() + " is in no module of the house"));
                if (FREE.contains(from)) {
                    return;
                }
                Set<String> allowed = reachable(from);
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                    module(dependency.getTargetClass())
                            .filter(to -> !allowed.contains(to))
                            .ifPresent(to -> events.add(SimpleConditionEvent.violated(
                                    type, from + " may not use " + to + ": " + dependency.getDescription())));
                }
            }
        };
    }

    /** The module of a class is the one with the longest name that starts its package. */
    private static Optional<String> module(JavaClass type) {
        String name = type.getBaseComponentType().getPackageName() + ".";
        return Stream.concat(MAY_USE.keySet().stream(), FREE.stream())
                .filter(module -> name.startsWith("dev.fairlane." + module + "."))
                .max(Comparator.comparingInt(String::length));
    }

    private static Set<String> reachable(String module) {
        Set<String> found = new HashSet<>(Set.of(module));
        MAY_USE.get(module).forEach(next -> found.addAll(reachable(next)));
        return found;
    }
}
