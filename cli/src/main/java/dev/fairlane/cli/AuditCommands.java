package dev.fairlane.cli;

import dev.fairlane.sdk.AuditChain;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;

/** {@code fairlane audit …}: who changed what, and proof that nobody changed that. */
@Command(
        name = "audit",
        description = "Who changed what: list it, verify its chains, export it, show heads to keep, erase reasons.")
final class AuditCommands {
    private AuditCommands() {}

    static CommandLine of(Session session) {
        return new CommandLine(new AuditCommands())
                .addSubcommand(new ListAudit(session))
                .addSubcommand(new Verify(session))
                .addSubcommand(new Export(session))
                .addSubcommand(new Heads(session))
                .addSubcommand(new Erase(session));
    }

    @Command(name = "list", description = "List changes, newest first.")
    private static final class ListAudit extends Listing {
        @Option(names = "--tenant", paramLabel = "NAME", description = "Of one tenant. Default: all the key may see")
        private @Nullable String tenant;

        @Option(names = "--system", description = "Only what concerns no single tenant")
        private boolean system;

        @Option(
                names = "--since",
                paramLabel = "SPAN",
                description = "Made within this span, like 24h, or since a time like 2026-11-15T08:30:00Z")
        private @Nullable String since;

        @Option(names = "--until", paramLabel = "TIME", description = "Made before this time")
        private @Nullable String until;

        ListAudit(Session session) {
            super(session, "/v1/audit", "entries");
        }

        @Override
        List<Entry<String, String>> chosen() {
            List<Entry<String, String>> chosen = new ArrayList<>();
            if (tenant != null) {
                chosen.add(Map.entry("tenant", tenant));
            }
            if (system) {
                chosen.add(Map.entry("system", "true"));
            }
            if (since != null) {
                chosen.add(Map.entry(
                        "from",
                        since.contains(":")
                                ? Spans.time("--since", since)
                                : Instant.now()
                                        .minus(Spans.span("--since", since))
                                        .toString()));
            }
            if (until != null) {
                chosen.add(Map.entry("to", Spans.time("--until", until)));
            }
            return chosen;
        }

        @Override
        void print(List<Map<String, @Nullable Object>> listed, Printer printer) {
            printer.rows(
                    listed,
                    "hash",
                    List.of("AT", "CHAIN", "NO", "KEY", "ROLE", "ACTION", "TARGET", "SUMMARY"),
                    entry -> List.of(
                            Json.text(entry, "at"),
                            chain(entry),
                            String.valueOf(Json.number(entry, "sequence")),
                            Json.text(entry, "key_name"),
                            Json.text(entry, "role"),
                            Json.text(entry, "action"),
                            Json.text(entry, "target"),
                            Json.text(entry, "summary")));
        }
    }

    private static String chain(Map<String, @Nullable Object> ofChain) {
        String name = Json.text(ofChain, "chain");
        return name.isEmpty() ? "(system)" : name;
    }

    @Command(
            name = "verify",
            description = "Follow the chains from their first entry to their head."
                    + " Exit code 1 if one is broken or not there.")
    private static final class Verify implements Callable<Integer> {
        @Mixin
        private final ServerOptions server;

        @Option(names = "--tenant", paramLabel = "NAME", description = "Of one tenant. Default: all the key may see")
        private @Nullable String tenant;

        @Option(names = "--file", paramLabel = "FILE", description = "An export instead of a server; needs no server")
        private @Nullable Path file;

        @Option(
                names = "--head",
                paramLabel = "HASH",
                description = "A head that was kept elsewhere: an entry with this hash must be there. May be repeated")
        private List<String> kept = new ArrayList<>();

        Verify(Session session) {
            this.server = new ServerOptions(session);
        }

        @Override
        public Integer call() {
            List<AuditChain> chains = file == null ? online() : offline(file);
            PrintStream out = server.session().out();
            List<String> broken = new ArrayList<>();
            for (AuditChain chain : chains) {
                String name = "chain " + chain.shownName() + ": ";
                if (chain.dropped() > 0) {
                    out.println(name + "entries 1 to " + chain.dropped() + " were dropped (retention)");
                }
                chain.end()
                        .ifPresentOrElse(
                                place -> broken.add(name + place),
                                () -> out.println(name + chain.entries() + " entries hold, head "
                                        + chain.head().sequence() + " "
                                        + chain.head().hash()));
            }
            List<String> gone = new ArrayList<>();
            for (String hash : kept) {
                if (chains.stream().noneMatch(chain -> chain.has(hash))) {
                    chains.stream()
                            .filter(chain -> chain.hasDropped(hash))
                            .findFirst()
                            .ifPresentOrElse(
                                    chain -> gone.add("chain " + chain.shownName() + ": entry " + chain.dropped()
                                            + ", with the hash " + hash + " that was kept, was dropped (retention)"),
                                    () -> broken.add("no entry has the hash " + hash + " that was kept"));
                }
            }
            if (!broken.isEmpty()) {
                broken.addAll(gone);
                throw new Failed(ExitCode.FAILED, "", "the audit is broken. " + String.join(". ", broken));
            }
            if (!gone.isEmpty()) {
                throw new Failed(ExitCode.FAILED, "", String.join(". ", gone));
            }
            if (chains.isEmpty()) {
                out.println("there is nothing in the audit");
            }
            return ExitCode.OK;
        }

        private List<AuditChain> online() {
            AuditReading reading = new AuditReading(server.api(null));
            List<AuditChain> chains = new ArrayList<>();
            for (Map<String, @Nullable Object> head : reading.heads(tenant)) {
                AuditChain chain = new AuditChain(AuditJson.head(head));
                reading.entries(chain.head().chain(), entry -> chain.follow(AuditJson.entry(entry)));
                chains.add(chain);
            }
            if (tenant != null && chains.isEmpty()) {
                throw new Failed(ExitCode.FAILED, "", "the server has no chain " + tenant);
            }
            return chains;
        }

        private List<AuditChain> offline(Path export) {
            Map<String, AuditChain> chains = new LinkedHashMap<>();
            try (BufferedReader lines = Files.newBufferedReader(export)) {
                int number = 0;
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    number++;
                    read(line, number, chains);
                }
            } catch (NoSuchFileException e) {
                throw Failed.usage("--file: there is no file " + export);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read " + export + ": " + e.getMessage(), e);
            }
            if (tenant != null) {
                chains.keySet().retainAll(List.of(tenant));
                if (chains.isEmpty()) {
                    throw new Failed(ExitCode.FAILED, "", "the export has no chain " + tenant);
                }
            }
            return List.copyOf(chains.values());
        }

        /** A line with an anchor begins a chain, all others are entries. */
        private static void read(String line, int number, Map<String, AuditChain> chains) {
            Map<String, @Nullable Object> object;
            try {
                object = Json.object(Json.parse(line.getBytes(StandardCharsets.UTF_8)));
            } catch (JacksonException e) {
                throw new Failed(ExitCode.FAILED, "", "line " + number + " of the export is not JSON");
            }
            String name = Json.text(object, "chain");
            if (object.containsKey("anchor_hash")) {
                AuditChain begun = new AuditChain(AuditJson.head(object));
                if (chains.putIfAbsent(name, begun) != null) {
                    throw new Failed(
                            ExitCode.FAILED,
                            "",
                            "line " + number + " of the export: a second head of chain " + begun.shownName());
                }
                return;
            }
            AuditChain chain = chains.get(name);
            if (chain == null) {
                throw new Failed(
                        ExitCode.FAILED,
                        "",
                        "line " + number + " of the export: an entry without the head of its chain");
            }
            chain.follow(AuditJson.entry(object));
        }
    }

    @Command(
            name = "export",
            description =
                    "Print chains as lines of JSON, each chain behind a line with its head, for audit verify --file.")
    private static final class Export extends ServerCommand {
        @Option(names = "--tenant", paramLabel = "NAME", description = "Of one tenant. Default: all the key may see")
        private @Nullable String tenant;

        Export(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            AuditReading reading = new AuditReading(api);
            PrintStream out = printer.out();
            for (Map<String, @Nullable Object> head : reading.heads(tenant)) {
                long last = Json.number(head, "sequence");
                out.println(Json.compact(head));
                reading.entries(Json.text(head, "chain"), entry -> {
                    if (Json.number(entry, "sequence") <= last) {
                        out.println(Json.compact(entry));
                    }
                });
            }
        }
    }

    @Command(name = "head", description = "Show the newest entry of each chain: keep the hashes elsewhere.")
    private static final class Heads extends ServerCommand {
        @Option(names = "--tenant", paramLabel = "NAME", description = "Of one tenant. Default: all the key may see")
        private @Nullable String tenant;

        Heads(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            printer.rows(
                    new AuditReading(api).heads(tenant),
                    "hash",
                    List.of("CHAIN", "ENTRIES", "DROPPED", "AT", "HASH"),
                    head -> List.of(
                            chain(head),
                            String.valueOf(Json.number(head, "sequence")),
                            String.valueOf(Json.number(head, "anchor_sequence")),
                            Json.text(head, "at"),
                            Json.text(head, "hash")));
        }
    }

    @Command(
            name = "erase",
            description = "Erase the text of an entry's reason, for good. Its digest stays, so the chain still holds.",
            footer = {"", "Example: fairlane audit erase 17 --tenant acme --yes"})
    private static final class Erase extends ServerCommand {
        @Parameters(index = "0", paramLabel = "NO", description = "Number of the entry in its chain")
        private long sequence;

        @Option(names = "--tenant", paramLabel = "NAME", description = "Whose chain, for keys that see all tenants")
        private @Nullable String tenant;

        @Option(names = "--system", description = "The chain of what concerns no single tenant")
        private boolean system;

        @Option(names = "--yes", description = "Do it; without it nothing is done")
        private boolean yes;

        Erase(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            if (!yes) {
                throw Failed.usage("a reason cannot be brought back, nothing was done: say --yes to erase it");
            }
            Map<String, @Nullable Object> which = new LinkedHashMap<>();
            if (tenant != null) {
                which.put("tenant", tenant);
            }
            if (system) {
                which.put("system", true);
            }
            which.put("sequence", sequence);
            printer.sheet(api.send("POST", "/v1/audit:erase", which), "hash");
        }
    }
}
