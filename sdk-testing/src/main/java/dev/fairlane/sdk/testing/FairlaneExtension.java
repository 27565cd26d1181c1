package dev.fairlane.sdk.testing;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a {@link TestFairlane} of its own to each test method that has a parameter for one, and closes it afterwards.
 *
 * <pre>{@code
 * @ExtendWith(FairlaneExtension.class)
 * class WelcomeMailTest {
 *     @Test
 *     void isSentAfterADay(TestFairlane test) { … }
 * }
 * }</pre>
 *
 * A parameter of {@code @BeforeEach} is the same as that of the test; one of {@code @BeforeAll} is shared by all tests of the class.
 */
public final class FairlaneExtension implements ParameterResolver {
    private static final ExtensionContext.Namespace SPACE = ExtensionContext.Namespace.create(FairlaneExtension.class);

    private final UnaryOperator<TestFairlane.Builder> options;

    /** For {@code @ExtendWith}: with the defaults. */
    public FairlaneExtension() {
        this(UnaryOperator.identity());
    }

    private FairlaneExtension(UnaryOperator<TestFairlane.Builder> options) {
        this.options = options;
    }

    /** For {@code @RegisterExtension}: with options of its own. */
    public static FairlaneExtension with(UnaryOperator<TestFairlane.Builder> options) {
        return new FairlaneExtension(options);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TestFairlane.class;
    }

    @Override
    public TestFairlane resolveParameter(ParameterContext parameter, ExtensionContext context) {
        // The store of the context closes what is AutoCloseable, and looks into those of its parents first.
        return context.getStore(SPACE).computeIfAbsent(TestFairlane.class, _ -> start(), TestFairlane.class);
    }

    private TestFairlane start() {
        return options.apply(TestFairlane.builder()).start();
    }
}
