package dev.fairlane.server.config;

import dev.fairlane.server.config.Keys.PoolKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
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
    private final List<PoolKeys> pools;
    private final @Nullable Path file;

    private Settings(Map<Key<?>, Setting> settings, List<PoolKeys> pools, @Nullable Path file) {
        this.settings = settings;
        this.pools = pools;
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
        Path file = config != null ? config : fileOf(environment, flags);
        Map<String, String> inFile = file == null ? Map.of() : YamlFile.read(file);
        List<PoolKeys> pools = pools(file, inFile, environment, flags);
        List<Key<?>> all = new ArrayList<>(Keys.ALL);
        pools.stream().skip(Keys.POOLS.size()).forEach(pool -> {
            all.addAll(pool.all());
            all.addAll(pool.prices().all());
        });
        Map<String, Key<?>> byName = all.stream().collect(Collectors.toMap(Key::name, Function.identity()));
        Map<String, Key<?>> byVariable = all.stream().collect(Collectors.toMap(Key::variable, Function.identity()));

        Map<Key<?>, Setting> found = new LinkedHashMap<>();
        all.forEach(key -> found.put(key, read(key, key.fallback(), Origin.DEFAULT, "default")));
        inFile.forEach((name, text) -> {
            Key<?> key = byName.get(name);
            if (key == null) {
                throw new CannotStart("unknown key " + name + " in " + file + hint(name, byName));
            }
            found.put(key, read(key, text, Origin.FILE, String.valueOf(file)));
        });
        environment.forEach((variable, text) -> {
            if (!variable.startsWith("FAIRLANE_") || NOT_OURS.contains(variable)) {
                return;
            }
            Key<?> key = byVariable.get(variable);
            if (key == null) {
                throw new CannotStart(
                        "unknown environment variable " + variable + Nearest.hint(variable, byVariable.keySet()));
            }
            found.put(key, read(key, text, Origin.ENVIRONMENT, variable));
        });
        flags.forEach((name, text) -> {
            Key<?> key = byName.get(name);
            if (key == null) {
                throw new CannotStart("unknown key " + name + hint(name, byName));
            }
            found.put(key, read(key, text, Origin.FLAG, "flag"));
        });
        return new Settings(found, pools, file);
    }

    /** Which pools there are decides which keys there are, so this is read first. */
    private static List<PoolKeys> pools(
            @Nullable Path file,
            Map<String, String> inFile,
            Map<String, String> environment,
            Map<String, String> flags) {
        Key<List<String>> key = Keys.MORE_POOLS;
        Setting more = read(key, key.fallback(), Origin.DEFAULT, "default");
        if (flags.containsKey(key.name())) {
            more = read(key, flags.get(key.name()), Origin.FLAG, "flag");
        } else if (environment.containsKey(key.variable())) {
            more = read(key, environment.get(key.variable()), Origin.ENVIRONMENT, key.variable());
        } else if (inFile.containsKey(key.name())) {
            more = read(key, inFile.get(key.name()), Origin.FILE, String.valueOf(file));
        }
        @SuppressWarnings("unchecked") // the value was read by this key's own form
        List<String> names = (List<String>) more.value();
        List<PoolKeys> pools = new ArrayList<>(Keys.POOLS);
        pools.addAll(Keys.poolsNamed(names));
        return List.copyOf(pools);
    }

    private static String hint(String name, Map<String, Key<?>> byName) {
        boolean ofPool = name.matches("(pools|usage\\.price\\.(job_of|slot_second))\\.[^.]+(\\..+)?")
                && !byName.containsKey(name);
        return Nearest.hint(name, byName.keySet())
                + (ofPool ? "; pools beside short, medium and long are named in pools.more" : "");
    }

    /** All pools: those there always are, then those the settings add. */
    public List<PoolKeys> pools() {
        return pools;
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
