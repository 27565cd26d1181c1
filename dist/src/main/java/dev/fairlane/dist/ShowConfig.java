package dev.fairlane.dist;

import dev.fairlane.server.config.ServerConfig;
import dev.fairlane.server.config.Settings;
import dev.fairlane.server.config.Settings.Origin;
import dev.fairlane.server.config.Settings.Setting;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the configuration a server started like this would have. */
@Command(
        name = "config",
        mixinStandardHelpOptions = true,
        description = "Prints the effective configuration with the origin of every value; secrets are hidden.")
final class ShowConfig implements Callable<Integer> {
    @Mixin
    private final ConfigFlags flags = new ConfigFlags();

    @Option(names = "--changed", description = "Only what is not a default.")
    private boolean changed;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before anything runs
    private CommandSpec spec;

    @Override
    public Integer call() {
        Settings settings = flags.load(System.getenv());
        ServerConfig.of(settings); // says what does not fit together
        List<Setting> shown = settings.all().stream()
                .filter(setting -> !changed || setting.origin() != Origin.DEFAULT)
                .toList();
        int keys = width(shown.stream().map(setting -> setting.key().name()).toList());
        int values = Math.min(48, width(shown.stream().map(Setting::shown).toList()));
        PrintWriter out = spec.commandLine().getOut();
        for (Setting setting : shown) {
            out.println(("%-" + keys + "s  %-" + values + "s  %s")
                    .formatted(setting.key().name(), setting.shown(), origin(setting)));
        }
        out.flush();
        return 0;
    }

    private static String origin(Setting setting) {
        return switch (setting.origin()) {
            case DEFAULT -> "default";
            case FLAG -> "flag";
            case FILE, ENVIRONMENT -> setting.origin().name().toLowerCase(Locale.ROOT) + " " + setting.from();
        };
    }

    private static int width(List<String> texts) {
        return Math.max(1, texts.stream().mapToInt(String::length).max().orElse(1));
    }
}
