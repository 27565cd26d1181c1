package dev.fairlane.cli;

import dev.fairlane.cli.ServerOptions.Format;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A list of the server that may be long: it is read page by page, up to a limit. */
abstract class Listing extends ServerCommand {
    private static final int PAGE_MAX = 1_000;

    private final String path;
    private final String member;

    @Option(names = "--limit", paramLabel = "N", description = "At most this many. Default: 50")
    private int limit = 50;

    /** @param member of the server's answer that holds them */
    Listing(Session session, String path, String member) {
        super(session);
        this.path = path;
        this.member = member;
    }

    /** Which ones, as the server is asked for them. */
    abstract List<Entry<String, String>> chosen();

    abstract void print(List<Map<String, @Nullable Object>> listed, Printer printer);

    @Override
    final void ask(Api api, Printer printer) {
        if (limit < 1) {
            throw Failed.usage("--limit: expected at least 1, but got " + limit);
        }
        List<Entry<String, String>> chosen = chosen();
        List<Map<String, @Nullable Object>> listed = new ArrayList<>();
        String cursor = "";
        do {
            List<Entry<String, String>> parameters = new ArrayList<>(chosen);
            parameters.add(Map.entry("page_size", String.valueOf(Math.min(PAGE_MAX, limit - listed.size()))));
            if (!cursor.isEmpty()) {
                parameters.add(Map.entry("cursor", cursor));
            }
            Map<String, @Nullable Object> page = Json.object(api.get(path + Api.query(parameters)));
            listed.addAll(Json.objects(page.get(member)));
            cursor = Json.text(page, "next_cursor");
        } while (!cursor.isEmpty() && listed.size() < limit);
        print(listed, printer);
        if (!cursor.isEmpty() && printer.format() == Format.table) {
            server.session().err().println("There are more; see --limit.");
        }
    }
}
