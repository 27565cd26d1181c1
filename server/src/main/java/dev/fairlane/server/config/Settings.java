package dev.fairlane.server.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The effective configuration: a value for every key, and where it came from. */
public final class Settings {
    /** Variables that belong to the launcher, the client or to this class, not to the server's settings. */
    private static final Set<String> NOT_OURS = Set.of(
            "FAIRLANE_CONFIG",
            "FAIRLANE_JAVA_HOME",
            "FAIRLANE_JAVA_OPTS",
            "FAIRLANE_NO_BUILD",
            "FAIRLANE_KEY",
            "FAIRLANE_KEY_FILE",
            "FAIRLANE_URL",
            "FAIRLANE_TENANT",
            "FAIRLANE_CONTEXT");

    /** Later ones win. */
    public enum Origin {
        DEFAULT,
        FILE,
        ENVIRONMENT,
        FLAG
    }

    /** @param from where exactly: the file, the variable, the flag */
    public record Setting(Key<?> key, String text, Object value, Origin origin, String from) {
        /** What may be shown to people. */
        public String shown() {
            if (key.secret() && !text.isEmpty()) {
                return "(hidden)";
            }
            return key.equals(Keys.DB_URL) ? DatabaseUrl.shown(text) : text;
        }
    }

    private final Map<Key<?>, Setting> settings;
    private final @Nullable Path file;

    private Settings(Map<Key<?>, Setting> settings, @Nullable Path file) {
        this.settings = settings;
        this.file = file;
    }

    /** Only defaults. */
    public static Settings defaults() {
        return load(null, Map.of(), Map.of());
    }

    /**
     * @param config what {@code --config} says; else FAIRLANE_CONFIG, else {@code fairlane.yaml} in the home if it is there
     * @param flags key name to value, for flags that were given
     * @throws CannotStart for an unknown key, a value of another form, or a file that cannot be read
     */
    public static Settings load(@Nullable Path config, Map<String, String> environment, Map<String, String> flags) {
        Map<Key<?>, Setting> found = new HashMap<>();
        Keys.ALL.forEach(key -> found.put(key, read(key, key.fallback(), Origin.DEFAULT, "default")));
        Path file = config != null ? config : fileOf(environment, flags);
        if (file != null) {
            YamlFile.read(file).forEach((name, text) -> {
                Key<?> key = Keys.byName().get(name);
                if (key == null) {
                    throw new CannotStart("unknown key " + name + " in " + file
                            + Nearest.hint(name, Keys.byName().keySet()));
                }
                found.put(key, read(key, text, Origin.FILE, file.toString()));
            });
        }
        environment.forEach((variable, text) -> {
            if (!variable.startsWith("FAIRLANE_") || NOT_OURS.contains(variable)) {
                return;
            }
            Key<?> key = Keys.byVariable().get(variable);
            if (key == null) {
                throw new CannotStart("unknown environment variable " + variable
                        + Nearest.hint(variable, Keys.byVariable().keySet()));
            }
            found.put(key, read(key, text, Origin.ENVIRONMENT, variable));
        });
        flags.forEach((name, text) -> {
            Key<?> key = Keys.byName().get(name);
            if (key == null) {
                throw new CannotStart(
                        "unknown key " + name + Nearest.hint(name, Keys.byName().keySet()));
            }
            found.put(key, read(key, text, Origin.FLAG, "flag"));
        });
        Map<Key<?>, Setting> ordered = new LinkedHashMap<>();
        Keys.ALL.forEach(key -> ordered.put(key, found.get(key)));
        return new Settings(ordered, file);
    }

    public List<Setting> all() {
        return new ArrayList<>(settings.values());
    }

    /** The file that was read, if any. */
    public @Nullable Path file() {
        return file;
    }

    public <T> T get(Key<T> key) {
        Setting setting = settings.get(key);
        if (setting == null) {
            throw new IllegalArgumentException("not among all keys: " + key.name());
        }
        @SuppressWarnings("unchecked") // the value was read by this key's own form
        T value = (T) setting.value();
        return value;
    }

    public static Path homeOf(String text) {
        return text.equals("~") || text.startsWith("~/")
                ? Path.of(System.getProperty("user.home") + text.substring(1))
                : Path.of(text);
    }

    private static @Nullable Path fileOf(Map<String, String> environment, Map<String, String> flags) {
        String named = environment.get("FAIRLANE_CONFIG");
        if (named != null && !named.isEmpty()) {
            return Path.of(named);
        }
        String home = flags.getOrDefault(
                Keys.HOME.name(), environment.getOrDefault(Keys.HOME.variable(), Keys.HOME.fallback()));
        Path usual = homeOf(home).resolve("fairlane.yaml");
        return Files.exists(usual) ? usual : null;
    }

    private static Setting read(Key<?> key, String text, Origin origin, String from) {
        try {
            return new Setting(key, text, key.form().read().apply(text), origin, from);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new CannotStart(
                    "expected " + key.form().expected() + " for " + key.name()
                            + (key.secret() ? "" : ", but got '" + text + "'")
                            + " (" + from + ")",
                    e);
        }
    }
}
