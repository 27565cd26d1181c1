package dev.fairlane.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.sdk.testing.TestFairlane;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Java of the guides for handlers compiles as it stands, and the tests it shows pass. */
class GuidesTest {
    private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern CLASS_NAME = Pattern.compile("^class (\\w+)", Pattern.MULTILINE);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"effects.md", "testing.md", "schedules.md"})
    void whatIsShownCompiles(String guide) throws Exception {
        assertThat(compiled(guide)).isNotEmpty();
    }

    @Test
    void theTestsThatAreShownPass() throws Exception {
        List<String> names = compiled("testing.md");
        int run = 0;
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            for (String name : names) {
                for (Method method : loader.loadClass(name).getDeclaredMethods()) {
                    if (method.isAnnotationPresent(Test.class)) {
                        run(method);
                        run++;
                    }
                }
            }
        }
        assertThat(run).isGreaterThanOrEqualTo(6);
    }

    private static void run(Method test) throws ReflectiveOperationException {
        Constructor<?> constructor = test.getDeclaringClass().getDeclaredConstructor();
        constructor.setAccessible(true);
        test.setAccessible(true);
        Object instance = constructor.newInstance();
        if (test.getParameterCount() == 0) {
            test.invoke(instance);
        } else {
            try (TestFairlane fairlane = TestFairlane.start()) {
                test.invoke(instance, fairlane);
            }
        }
    }

    private List<String> compiled(String guide) throws IOException {
        Matcher blocks =
                JAVA.matcher(Files.readString(root().resolve("docs/guides").resolve(guide)));
        List<String> names = new ArrayList<>();
        List<Path> files = new ArrayList<>();
        while (blocks.find()) {
            Matcher name = CLASS_NAME.matcher(blocks.group(1));
            assertThat(name.find())
                    .as("a whole class in each block of " + guide)
                    .isTrue();
            names.add(name.group(1));
            files.add(Files.writeString(folder.resolve(name.group(1) + ".java"), blocks.group(1)));
        }
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (var manager = javac.getStandardFileManager(null, null, null)) {
            boolean well = javac.getTask(
                            said,
                            manager,
                            null,
                            List.of(
                                    "-d",
                                    folder.toString(),
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    "-proc:none"),
                            null,
                            manager.getJavaFileObjectsFromPaths(files))
                    .call();
            assertThat(well).as(said.toString()).isTrue();
        }
        return names;
    }

    private static Path root() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve("docs/guides"))) {
            at = at.getParent();
        }
        return at;
    }
}
