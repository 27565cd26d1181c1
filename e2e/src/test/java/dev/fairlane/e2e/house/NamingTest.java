package dev.fairlane.e2e.house;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

class NamingTest {
    @Test
    void namesAreRolesAndDeedsAndNeverFillers() {
        noClasses()
                .that(are(not(House.GENERATED)))
                .should()
                .haveSimpleNameEndingWith("Impl")
                .orShould()
                .haveSimpleNameEndingWith("Manager")
                .orShould()
                .haveSimpleNameEndingWith("Helper")
                .orShould()
                .haveSimpleNameEndingWith("Util")
                .orShould()
                .haveSimpleNameEndingWith("Utils")
                .orShould()
                .haveSimpleNameEndingWith("Service")
                .check(House.CLASSES);
    }

    @Test
    void everyPackageIsNullMarked() {
        Set<String> marked = House.CLASSES.stream()
                .filter(simpleName("package-info"))
                .filter(type -> type.isAnnotatedWith(NullMarked.class))
                .map(JavaClass::getPackageName)
                .collect(Collectors.toSet());
        assertThat(House.CLASSES.stream()
                        .filter(not(House.GENERATED))
                        .map(JavaClass::getPackageName)
                        .distinct())
                .as("packages whose package-info.java carries @NullMarked")
                .isSubsetOf(marked);
    }
}
