package dev.fairlane.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.server.TestServer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The rules of a type through the API: bad ones are refused by the name of the field, and change nothing. */
class TypeRulesRestTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String GOOD = """
            {"pool":"short","rules":{"retry_delays_ms":[1000,60000],"retry_jitter":0,"timeout_retries":0,"retry_on":["IOException"],
             "dependencies":["stripe"],"dependency_caps":[{"dependency":"stripe","executions":3}],
             "breaker":{"runs":10,"failing_percent":30,"window_ms":5000},
             "unique":{"by":"args","during":"a_time","period_ms":60000,"conflict":"reject"}}}""";

    private static TestServer server;

    @BeforeAll
    static void start(@TempDir Path home) {
        server = TestServer.start(home);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            rules.retry_jitter                  | {"retry_jitter":1.5}
            rules.retry_jitter                  | {"retry_jitter":-0.1}
            rules.retry_delays_ms               | {"retry_delays_ms":[-1]}
            rules.timeout_retries               | {"timeout_retries":-1}
            rules.resource_retries              | {"resource_retries":100000}
            rules.crash_limit                   | {"crash_limit":100000}
            rules.retry_on                      | {"retry_on":[""]}
            rules.max_age_ms                    | {"max_age_ms":-5}
            rules.dependencies                  | {"dependencies":["a\\nb"]}
            rules.dependency_caps.executions    | {"dependency_caps":[{"dependency":"d","executions":0}]}
            rules.dependency_caps.dependency    | {"dependency_caps":[{"dependency":"d","executions":1},{"dependency":"d","executions":2}]}
            rules.breaker.failing_percent       | {"breaker":{"failing_percent":101}}
            rules.quarantine.window_ms          | {"quarantine":{"window_ms":999999999999}}
            rules.unique.by                     | {"unique":{"by":"mood","during":"queued","conflict":"reject"}}
            rules.unique.during                 | {"unique":{"by":"args","during":"always","conflict":"reject"}}
            rules.unique.conflict               | {"unique":{"by":"args","during":"queued","conflict":"fight"}}
            rules.unique.period_ms              | {"unique":{"by":"key","during":"a_time","conflict":"reject"}}
            rules.unique.period_ms              | {"unique":{"by":"key","during":"queued","conflict":"debounce"}}
            rules.payload_schema                | {"payload_schema":"no json"}
            """)
    void aBadRuleIsRefusedByItsName(String field, String rules) {
        assertThat(put("strict", GOOD).statusCode()).isEqualTo(200);
        JsonNode before = rules("strict");

        HttpResponse<String> refused = put("strict", "{\"pool\":\"short\",\"rules\":" + rules + "}");

        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
        JsonNode problem = JSON.readTree(refused.body());
        assertThat(problem.get("code").asString()).isEqualTo("INVALID_ARGUMENT");
        assertThat(refused.body()).contains(field);
        assertThat(rules("strict")).as("nothing has changed").isEqualTo(before);
    }

    @Test
    void aLongTypeMustSayHowItSurvivesItsWorker() {
        HttpResponse<String> refused = put("long-one", "{\"pool\":\"long\",\"rules\":{\"duration_ms\":301000}}");
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
        assertThat(JSON.readTree(refused.body()).get("code").asString()).isEqualTo("CHECKPOINTS_REQUIRED");

        assertThat(put("long-one", "{\"pool\":\"long\",\"rules\":{\"duration_ms\":301000,\"restartable\":true}}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(put("long-one", "{\"pool\":\"long\",\"rules\":{\"duration_ms\":301000,\"checkpoints\":true}}")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void goodRulesAreShownAsTheyWereGivenAndStayWhenNoneAreSent() {
        assertThat(put("kept", GOOD).statusCode()).isEqualTo(200);
        JsonNode rules = rules("kept");
        assertThat(rules.at("/retry_delays_ms/1").asLong()).isEqualTo(60_000);
        assertThat(rules.at("/retry_jitter").asDouble(-1)).isZero();
        assertThat(rules.at("/timeout_retries").asInt(-1)).isZero();
        assertThat(rules.at("/dependency_caps/0/executions").asInt()).isEqualTo(3);
        assertThat(rules.at("/unique/conflict").asString()).isEqualTo("reject");

        assertThat(put("kept", "{\"pool\":\"medium\"}").statusCode()).isEqualTo(200);

        assertThat(rules("kept")).isEqualTo(rules);
    }

    private static HttpResponse<String> put(String type, String json) {
        return server.send("PUT", "/v1/types/" + type, json);
    }

    private static JsonNode rules(String type) {
        return JSON.readTree(server.get("/v1/types/" + type).body()).get("rules");
    }
}
