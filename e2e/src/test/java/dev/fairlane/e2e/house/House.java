package dev.fairlane.e2e.house;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import java.nio.file.Path;

/** The production code of all modules, read once, and the place it comes from. */
final class House {
    static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("jmh_generated"))
            .importPackages("dev.fairlane");

    /** Code that protoc writes: its names and nullness are not ours to choose. */
    static final DescribedPredicate<JavaClass> GENERATED = DescribedPredicate.describe(
            "generated from .proto files",
            type -> type.getPackageName().matches("dev\\.fairlane\\.protocol\\.v\\d+(\\..*)?")
                    || type.getPackageName().startsWith("dev.fairlane.journal.stored"));

    private House() {}

    /** The root of the working tree: the first folder upwards that holds the core. */
    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("core/pom.xml"))) {
            Path parent = folder.getParent();
            if (parent == null) {
                throw new IllegalStateException(
                        "expected core/pom.xml in or above " + Path.of("").toAbsolutePath());
            }
            folder = parent;
        }
        return folder;
    }
}
