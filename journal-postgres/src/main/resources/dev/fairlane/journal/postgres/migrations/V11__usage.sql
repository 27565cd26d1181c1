-- What was used, by hour (UTC, microseconds since the epoch) and account. Flushes only append what they add, as one row packed by
-- UsageCodec; now and then those are folded into the hours. Use = both together, in one snapshot.
CREATE TABLE fairlane.usage_hour (
    tenant      int    NOT NULL,
    hour        bigint NOT NULL CHECK (hour % 3600000000 = 0),
    lane        text   NOT NULL,
    type        text   NOT NULL,
    pool        text   NOT NULL,
    executions  bigint NOT NULL,
    slot_micros bigint NOT NULL,
    succeeded   bigint NOT NULL,
    dead        bigint NOT NULL,
    cancelled   bigint NOT NULL,
    expired     bigint NOT NULL,
    PRIMARY KEY (tenant, hour, lane, type, pool)
) WITH (fillfactor = 80);

-- Hours come in order, so a coarse index finds those of a month.
CREATE INDEX usage_hour_when ON fairlane.usage_hour USING brin (hour) WITH (pages_per_range = 16);

CREATE TABLE fairlane.usage_delta (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    rows   bytea NOT NULL
);
