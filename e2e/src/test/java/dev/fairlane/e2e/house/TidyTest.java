package dev.fairlane.e2e.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What can be seen in the text of the sources and in no class file. */
class TidyTest {
    private static final int LINES_MAX = 600;
    private static final Set<String> SKIPPED_FOLDERS = Set.of("target", "node_modules", ".git", ".idea");

    // Split so that this file does not find itself.
    private static final Pattern UNFINISHED = Pattern.compile("TO" + "DO|FIX" + "ME|X" + "XX");
    private static final Pattern SLEEP = Pattern.compile("Thread\\.sl" + "eep|TimeUnit\\.\\w+\\.sl" + "eep");
    private static final Pattern SWITCHED_OFF = Pattern.compile("@Dis" + "abled|@Ig" + "nore\\b");

    private final Path root = House.root();
    private final List<Path> sources = javaSources();

    @Test
    void aFileIsOneIdea() {
        assertThat(sources)
                .as("Java files of at most %d lines", LINES_MAX)
                .allSatisfy(file -> assertThat(lines(file)).hasSizeLessThanOrEqualTo(LINES_MAX));
    }

    @Test
    void nothingIsLeftForLater() {
        assertThat(found(UNFINISHED, file -> true)).isEmpty();
    }

    @Test
    void testsNeverSleep() {
        assertThat(found(SLEEP, TidyTest::isTest)).isEmpty();
    }

    @Test
    void testsAreNeverSwitchedOff() {
        assertThat(found(SWITCHED_OFF, TidyTest::isTest)).isEmpty();
    }

    private static boolean isTest(Path file) {
        return file.toString().contains("/src/test/");
    }

    private List<String> found(Pattern pattern, Predicate<Path> where) {
        return sources.stream()
                .filter(where)
                .flatMap(file -> {
                    List<String> lines = lines(file);
                    return IntStream.range(0, lines.size())
                            .filter(i -> pattern.matcher(lines.get(i)).find())
                            .mapToObj(i -> root.relativize(file) + ":" + (i + 1) + " "
                                    + lines.get(i).strip());
                })
                .toList();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Path> javaSources() {
        List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return SKIPPED_FOLDERS.contains(folder.getFileName().toString())
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (file.toString().endsWith(".java")) {
                        found.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }
}
