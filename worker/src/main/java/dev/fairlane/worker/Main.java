package dev.fairlane.worker;

import dev.fairlane.sdk.Environment;
import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.FairlaneException;
import dev.fairlane.sdk.Payload;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.Resources;
import dev.fairlane.sdk.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fairlane worker}: runs a command per job until it is told to stop. */
@Command(
        name = "fairlane worker",
        mixinStandardHelpOptions = false,
        description = "Runs a command per job: payload on stdin, result on stdout.",
        footer = {
            "",
            "The command finds FAIRLANE_JOB_ID, FAIRLANE_TYPE, FAIRLANE_TENANT, FAIRLANE_ATTEMPT,",
            "FAIRLANE_EXECUTION, FAIRLANE_TOKEN, FAIRLANE_EFFECT_KEY and FAIRLANE_HEADERS in its environment.",
            "Its exit code decides: 0 success, 75 come back later at no cost, 64, 65 or 78 do not try again, 69 a",
            "dependency failed, 79 hand over to another worker at no cost, 137 killed for memory; anything else is",
            "retried; --exit changes it. A file moved into the folder FAIRLANE_CHECKPOINT_OUT is saved; the next",
            "execution finds it as FAIRLANE_CHECKPOINT_IN. The last line of FAIRLANE_PROGRESS, like '0.25 words', is",
            "shown as progress. A job may run more than once: FAIRLANE_EFFECT_KEY is the same then.",
            "",
            "Example: fairlane worker --exec 'echo=cat' --exec 'resize=./resize.sh' --slots 4"
        })
public final class Main implements Callable<Integer> {
    static final int EXIT_FAILED = 1;
    static final int EXIT_AUTH = 4;
    private static final Pattern SIZE = Pattern.compile("(\\d{1,6})(MiB|GiB)?");

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--exec",
            required = true,
            paramLabel = "TYPE=COMMAND",
            description = "Run COMMAND with /bin/sh for jobs of TYPE. Repeatable.")
    private List<String> commands = List.of();

    @Option(
            names = "--pool",
            paramLabel = "NAME[=SLOTS]",
            description = "Pool to work for: short, medium, long or one the server adds, and how many jobs at once."
                    + " Repeatable. Default: short")
    private List<String> pools = List.of("short");

    @Option(names = "--slots", paramLabel = "N", description = "Jobs at once, for pools that do not say it themselves")
    private int slots;

    @Option(
            names = "--cpu",
            paramLabel = "CORES",
            description = "Cores its jobs may demand together, e.g. 7.5. Default: nobody counts")
    private double cores;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description = "Memory its jobs may demand together, e.g. 512MiB or 64GiB. Default: nobody counts")
    private String memory = "0";

    @Option(names = "--gpus", paramLabel = "N", description = "GPUs its jobs may demand together")
    private int gpus;

    @Option(names = "--tag", paramLabel = "TAG", description = "What it can do, by which jobs ask for it. Repeatable")
    private List<String> tags = List.of();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Unique name. Default: host, process id and a random part")
    private @Nullable String name;

    @Option(
            names = {"--url", "--server"},
            paramLabel = "URL",
            description = "Server. Default: FAIRLANE_URL, else http://localhost:8080")
    private @Nullable String url;

    @Option(names = "--key", paramLabel = "KEY", description = "API key; safer in FAIRLANE_KEY or --key-file")
    private @Nullable String key;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "File with the API key. Default: FAIRLANE_KEY, else ~/.fairlane/admin.key")
    private @Nullable Path keyFile;

    @Option(
            names = "--drain-window",
            paramLabel = "SECONDS",
            description = "How long running jobs may finish after SIGTERM. Default: 30, with the pool long 86400")
    private int drainSeconds;

    @Option(
            names = "--hand-over-signal",
            paramLabel = "NAME",
            description = "Signal that asks a command to save a checkpoint and exit with 79, e.g. USR1. Default: none")
    private String handOverSignal = "";

    @Option(
            names = "--kill-grace",
            paramLabel = "SECONDS",
            description = "Between SIGTERM and SIGKILL for a command that has to stop. Default: 3")
    private int killGraceSeconds = 3;

    @Option(
            names = "--exit",
            paramLabel = "CODE=CLASS",
            description = "What an exit code means: app_error, non_retryable, rate_limited[:SECONDS], dependency[:NAME]"
                    + " or resource_violation. Repeatable.")
    private List<String> exitRules = List.of();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "This text")
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private boolean help;

    public static void main(String[] arguments) {
        // One line a message, and before anybody logs.
        System.setProperty("java.util.logging.SimpleFormatter.format", "%1$tT %4$s %5$s%6$s%n");
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main()).setExecutionExceptionHandler((fault, line, result) -> failed(fault, line));
    }

    @Override
    public Integer call() {
        if (!handOverSignal.matches("[A-Z0-9]{0,8}")) {
            throw usage("expected a signal like USR1 or TERM, but got '" + handOverSignal + "'");
        }
        Map<String, CommandHandler> handlers = handlers();
        Map<Pool, Integer> offers = offers();
        Resources resources = resources();
        try (Fairlane fairlane = connect()) {
            Worker.Builder builder = Worker.of(fairlane);
            if (drainSeconds > 0) {
                builder.drainWindow(Duration.ofSeconds(drainSeconds));
            }
            handlers.forEach((type, handler) -> builder.handle(type, Payload.class, handler));
            offers.forEach((pool, count) -> builder.pool(pool).slots(count));
            builder.resources(resources).tags(tags.toArray(String[]::new));
            if (name != null) {
                builder.name(name);
            }
            Worker worker = builder.start();
            worker.ended().join();
            return CommandLine.ExitCode.OK;
        } catch (CompletionException e) {
            if (e.getCause() instanceof FairlaneException refused) {
                throw refused;
            }
            throw e;
        }
    }

    private Map<String, CommandHandler> handlers() {
        Map<String, CommandHandler> handlers = new LinkedHashMap<>();
        ExitCodes exits = exitCodes();
        for (String given : commands) {
            int equals = given.indexOf('=');
            if (equals < 1 || given.substring(equals + 1).isBlank()) {
                throw usage("expected --exec TYPE=COMMAND, but got '" + given + "'");
            }
            String type = given.substring(0, equals);
            CommandHandler handler = CommandHandler.ofShell(
                    given.substring(equals + 1), Duration.ofSeconds(killGraceSeconds), handOverSignal, exits);
            if (handlers.put(type, handler) != null) {
                throw usage("expected one command per type, but got a second for '" + type + "'");
            }
        }
        return handlers;
    }

    private ExitCodes exitCodes() {
        try {
            return ExitCodes.with(exitRules);
        } catch (IllegalArgumentException wrong) {
            throw usage(String.valueOf(wrong.getMessage()));
        }
    }

    private Map<Pool, Integer> offers() {
        Map<Pool, Integer> offers = new LinkedHashMap<>();
        for (String given : pools) {
            String[] parts = given.split("=", 2);
            try {
                Pool pool = Pool.named(parts[0]);
                int count = parts.length == 2 ? Integer.parseInt(parts[1]) : slots > 0 ? slots : pool.defaultSlots();
                if (count < 1) {
                    throw usage("expected at least one slot, but got '" + given + "'");
                }
                offers.put(pool, count);
            } catch (NumberFormatException e) {
                throw usage("expected --pool NAME[=SLOTS], but got '" + given + "'");
            } catch (IllegalArgumentException e) {
                throw usage(String.valueOf(e.getMessage()));
            }
        }
        return offers;
    }

    private Resources resources() {
        Matcher size = SIZE.matcher(memory);
        if (!size.matches()) {
            throw usage("expected --memory SIZE like 512MiB or 64GiB, but got '" + memory + "'");
        }
        int mebibytes = Integer.parseInt(size.group(1)) * ("GiB".equals(size.group(2)) ? 1_024 : 1);
        if (!(cores >= 0 && cores <= 10_000) || gpus < 0) {
            throw usage("expected --cpu and --gpus of 0 or more, but got " + cores + " and " + gpus);
        }
        return Resources.cores(cores).andMemoryMib(mebibytes).andGpus(gpus);
    }

    private Fairlane connect() {
        String withKey = key();
        try {
            return Fairlane.connect(url(), withKey);
        } catch (IllegalArgumentException cannotBe) {
            throw usage(String.valueOf(cannotBe.getMessage()));
        }
    }

    private String url() {
        return url != null ? url : Environment.ofProcess().url();
    }

    private String key() {
        if (key != null) {
            return key;
        }
        Environment environment = Environment.ofProcess();
        return (keyFile != null ? Environment.readKey(keyFile) : environment.key())
                .orElseThrow(() -> new FairlaneException.Denied(
                        "NO_KEY",
                        "no API key: set FAIRLANE_KEY or --key-file; a server on this machine writes one to "
                                + environment.adminKeyFile(),
                        null));
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec == null ? new CommandLine(this) : spec.commandLine(), message);
    }

    private static int failed(Exception fault, CommandLine line) throws Exception {
        if (fault instanceof FairlaneException refused) {
            line.getErr().println("fairlane worker: " + refused.getMessage() + " (" + refused.code() + ")");
            return refused instanceof FairlaneException.Denied ? EXIT_AUTH : EXIT_FAILED;
        }
        throw fault;
    }
}
