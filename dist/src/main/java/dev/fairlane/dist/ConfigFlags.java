package dev.fairlane.dist;

import dev.fairlane.server.config.Keys;
import dev.fairlane.server.config.Settings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Flags that say where settings come from, or are settings. */
final class ConfigFlags {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "YAML file with settings; else FAIRLANE_CONFIG, else fairlane.yaml in the home.")
    private @Nullable Path config;

    @Option(names = "--home", paramLabel = "FOLDER", description = "Folder of the admin key and of the data.")
    private @Nullable String home;

    @Option(names = "--host", description = "Address to listen on; 0.0.0.0 for all.")
    private @Nullable String host;

    @Option(names = "--port", description = "Port for gRPC and REST; 0 for any free one.")
    private @Nullable String port;

    @Option(
            names = "--db",
            paramLabel = "URL",
            description = "PostgreSQL to use, postgresql://user@host:5432/name; without it an embedded one.")
    private @Nullable String database;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Any other setting by its key; 'fairlane config' lists them.")
    private Map<String, String> others = new LinkedHashMap<>();

    Settings load(Map<String, String> environment) {
        Map<String, String> flags = new LinkedHashMap<>(others);
        put(flags, Keys.HOME.name(), home);
        put(flags, Keys.LISTEN_HOST.name(), host);
        put(flags, Keys.LISTEN_PORT.name(), port);
        put(flags, Keys.DB_URL.name(), database);
        return Settings.load(config, environment, flags);
    }

    private static void put(Map<String, String> flags, String key, @Nullable String value) {
        if (value != null) {
            flags.put(key, value);
        }
    }
}
