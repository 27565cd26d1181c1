package dev.fairlane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules of tenants, and what types and jobs need, from the command line. */
class TenantCommandsTest extends CommandLineBed {
    private static final String FULL = """
            {"name":"acme","weight":100,"tier":"pro","submit_rate":5000,"max_open_jobs":9,"in_flight":{"short":100},"reserved":{"long":2},
             "lanes":{"training":{"weight":20,"aging_ms":[0,60000,120000,180000,240000,300000,360000,420000,480000,3600000]}},
             "key_limits":[{"kind":"rate","key":"mail","limit":100,"per_ms":60000},{"kind":"concurrency","key":"user-*","limit":2,"per_ms":0}],
             "quotas":[{"kind":"slot_seconds","soft":100000,"hard":200000}],"closed_types":true}""";

    @Test
    void aTenantIsPutWithAllItsRules() {
        server.answer("PUT /v1/tenants/acme", 200, FULL);
        int exit =
                run("tenant put acme --tier pro --weight 100 --submit-rate 5000 --max-open-jobs 9 --in-flight short=100"
                        .concat(
                                " --reserved long=2 --lane training=20 --limit concurrency:user-*=2 --limit rate:mail=100/1m")
                        .concat(" --quota slot_seconds=soft:100000,hard:200000 --closed-types")
                        .split(" "));
        assertThat(exit).as(err()).isZero();
        assertThat(body())
                .isEqualTo(
                        "{\"tier\":\"pro\",\"weight\":100,\"submit_rate\":5000,\"max_open_jobs\":9,"
                                + "\"in_flight\":{\"short\":100},\"reserved\":{\"long\":2},\"lanes\":{\"training\":{\"weight\":20}},"
                                + "\"key_limits\":[{\"kind\":\"concurrency\",\"key\":\"user-*\",\"limit\":2},"
                                + "{\"kind\":\"rate\",\"key\":\"mail\",\"limit\":100,\"per_ms\":60000}],"
                                + "\"quotas\":[{\"kind\":\"slot_seconds\",\"soft\":100000,\"hard\":200000}],\"closed_types\":true}");
    }

    @Test
    void onlyWhatIsNamedIsSent() {
        server.answer("PUT /v1/tenants/acme", 200, FULL);
        assertThat(run("tenant", "put", "acme")).isZero();
        assertThat(body()).isEqualTo("{}");
        assertThat(run("tenant", "put", "acme", "--no-closed-types", "--replace"))
                .isZero();
        assertThat(body()).isEqualTo("{\"closed_types\":false,\"replace\":true}");
        assertThat(run("tenant", "put", "acme", "--limit", "rate:mail=0", "--quota", "jobs=0", "--lane", "x=0"))
                .isZero();
        assertThat(body())
                .isEqualTo(
                        "{\"lanes\":{\"x\":{\"weight\":0}},\"key_limits\":[{\"kind\":\"rate\",\"key\":\"mail\",\"limit\":0}],"
                                + "\"quotas\":[{\"kind\":\"jobs\"}]}");
        assertThat(run("tenant", "put", "acme", "--lane", "x=3:0s,1m,2m,3m,4m,5m,6m,7m,8m,1h"))
                .isZero();
        assertThat(body()).contains("\"aging_ms\":[0,60000,").contains(",3600000]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--lane x",
                "--lane x=y",
                "--limit mail=1",
                "--limit rate:=1/1m",
                "--limit rate:mail=1/soon",
                "--quota jobs",
                "--quota jobs=5",
                "--quota jobs=soft:1,soft:2",
                "--in-flight short",
                "--weight much"
            })
    void whatCannotBeReadIsExplained(String wrong) {
        assertThat(run(("tenant put acme " + wrong).split(" "))).isEqualTo(2);
        assertThat(server.requests).isEmpty();
        assertThat(err()).isNotEmpty();
    }

    @Test
    void aTenantIsShownAsItIsPut() {
        server.answer("GET /v1/tenants/acme", 200, FULL);
        assertThat(run("tenant", "get", "acme")).isZero();
        assertThat(out()).isEqualTo("""
                Name         acme
                Tier         pro
                Weight       100
                Submit rate  5000/s
                Open jobs    9
                In flight    short=100
                Reserved     long=2
                Lane         training=20:0s,1m,2m,3m,4m,5m,6m,7m,8m,1h
                Limit        rate:mail=100/1m
                Limit        concurrency:user-*=2
                Quota        slot_seconds=soft:100000,hard:200000
                Types        closed
                """);
    }

    @Test
    void whatHoldsIsShownBesideWhatIsSet() {
        server.answer("GET /v1/tenants/acme", 200, """
                {"name":"acme","tier":"standard","weight":10,"max_open_jobs":50,"effective":{"weight":10,"submit_rate":50,
                 "submit_burst":50,"slowed":true,"max_open_jobs":50,"open_jobs":7,"month_jobs":1000,"month_slot_seconds":4000,
                 "quenched":{"since":"2026-11-15T08:30:00Z","by":"ops","why":"too much"}}}""");
        assertThat(run("tenant", "get", "acme")).isZero();
        assertThat(out()).isEqualTo("""
                Name         acme
                Tier         standard
                Weight       10
                Quenched     since 2026-11-15T08:30:00Z by ops: too much
                Submit rate  50/s by its tier, 50 at once; halved, over a soft quota
                Open jobs    7 of 50
                This month   1000 jobs, 4000 slot-seconds
                """);
    }

    @Test
    void aTenantIsQuenchedAndUnquenched() {
        server.answer("POST /v1/pauses", 200, "{\"kind\":\"tenant\",\"name\":\"acme\",\"paused\":true}");
        server.answer("POST /v1/pauses:end", 200, "{\"kind\":\"tenant\",\"name\":\"acme\",\"paused\":false}");
        assertThat(run("tenant", "quench", "acme", "--why", "too much")).isZero();
        assertThat(body()).isEqualTo("{\"kind\":\"tenant\",\"name\":\"acme\",\"why\":\"too much\"}");
        assertThat(out()).isEqualTo("tenant acme  quenched\n");
        assertThat(run("tenant", "unquench", "acme")).isZero();
        assertThat(out()).isEqualTo("tenant acme  not quenched\n");
    }

    @Test
    void aJobSaysWhatItNeeds() {
        server.answer("POST /v1/jobs", 200, "{\"id\":\"j1\",\"state\":\"QUEUED\"}");
        assertThat(run(("job submit resize --concurrency-key user-7 --demand cpu=2,memory=4GiB --requires gpu-a100"
                                + " --fair-key u --rate-key mail --rate-cost 3")
                        .split(" ")))
                .isZero();
        assertThat(body())
                .isEqualTo(
                        "{\"type\":\"resize\",\"fair_key\":\"u\",\"concurrency_key\":\"user-7\",\"rate_key\":\"mail\","
                                + "\"rate_cost\":3,\"demand\":{\"cpu_millis\":2000,\"memory_mib\":4096},\"requires\":[\"gpu-a100\"]}");
        assertThat(run("submit", "t", "--demand", "cpu=0.25,gpus=1")).isZero();
        assertThat(body()).contains("{\"cpu_millis\":250,\"gpus\":1}");
        for (String wrong : new String[] {"", "cpu", "cpu=-1", "disk=1", "cpu=1,cpu=2", "memory=4TB", "gpus=0.5"}) {
            assertThat(run("submit", "t", "--demand", wrong)).as(wrong).isEqualTo(2);
        }
    }

    @Test
    void aTypeSaysWhatItsJobsNeed() {
        server.answer("PUT /v1/types/train", 200, "{\"name\":\"train\"}");
        assertThat(run("type put train --pool gpu --max-in-flight 4 --preemptible --demand gpus=1 --requires a100"
                        .split(" ")))
                .isZero();
        assertThat(body())
                .isEqualTo("{\"pool\":\"gpu\",\"rules\":{\"max_in_flight\":4,\"preemptible\":true,"
                        + "\"needs\":{\"demand\":{\"gpus\":1},\"requires\":[\"a100\"]}}}");
    }

    @Test
    void whatAJobNeedsIsShown() {
        server.answer(
                "GET /v1/jobs/j1",
                200,
                "{\"id\":\"j1\",\"state\":\"QUEUED\",\"needs\":{\"concurrency_key\":\"user-7\",\"rate_key\":\"mail\",\"rate_cost\":3,"
                        + "\"demand\":{\"cpu_millis\":1500,\"memory_mib\":512,\"gpus\":2},\"requires\":[\"a\",\"b\"]}}");
        assertThat(run("job", "get", "j1")).isZero();
        assertThat(out())
                .contains("Concurrency  user-7\n")
                .contains("Rate         mail (costs 3)\n")
                .contains("Demand       cpu=1.500,memory=512MiB,gpus=2\n")
                .contains("Requires     a b\n")
                .doesNotContain("Fair key");
    }
}
