package dev.fairlane.dist;

import dev.fairlane.journal.postgres.embedded.EmbeddedPostgres;
import dev.fairlane.server.api.Version;
import dev.fairlane.server.auth.AdminKey;
import dev.fairlane.server.config.ServerConfig;
import java.util.Set;

/** What whoever started the server needs next. */
final class Banner {
    private static final Set<String> ALL_ADDRESSES = Set.of("0.0.0.0", "::", "[::]");

    private Banner() {}

    static String of(Installation installation) {
        ServerConfig config = installation.config();
        String host = config.listen().host();
        String url = "http://" + (ALL_ADDRESSES.contains(host) ? "localhost" : host) + ":" + installation.port();
        String keyFile = installation.keyFile().toString();
        EmbeddedPostgres postgres = installation.postgres();
        String data = postgres == null
                ? config.database().toString()
                : installation.data() + " (embedded PostgreSQL, port " + postgres.port() + ")";
        String where = """

                Fairlane %s is up.

                  API        %s (REST and gRPC)
                  OpenAPI    %s/openapi.json
                  Admin key  %s%s
                  Data       %s
                """.formatted(Version.TEXT, url, url, keyFile, aboutKey(installation.found()), data);
        String next = installation.found() == AdminKey.Found.ELSEWHERE ? "" : """

                Submit a job:

                  curl %s/v1/jobs -H "Authorization: Bearer $(cat %s)" \\
                    -H 'Content-Type: application/json' -d '{"type":"hello","payload":{"to":"world"}}'
                """.formatted(url, keyFile);
        return where + next + "\nStop with Ctrl-C.\n";
    }

    private static String aboutKey(AdminKey.Found found) {
        return switch (found) {
            case MADE -> " (just made; readable by you only)";
            case KEPT -> "";
            case REGISTERED -> " (now known to this database)";
            case ELSEWHERE ->
                " is not there, but there are admin keys; make a new one with: fairlane up --new-admin-key";
        };
    }
}
