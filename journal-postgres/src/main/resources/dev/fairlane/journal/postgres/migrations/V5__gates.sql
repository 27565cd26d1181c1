-- What holds back jobs of a type, lane, tenant or pool: closed gates only.
CREATE TABLE fairlane.gate (
    -- Ordinal of the kind: 0 type, 1 lane, 2 tenant, 3 pool.
    kind       smallint NOT NULL CHECK (kind BETWEEN 0 AND 3),
    -- 0 for a pool.
    tenant     int NOT NULL,
    name       text NOT NULL,
    asked_by   text NOT NULL,
    why        text NOT NULL,
    changed_at bigint NOT NULL,
    PRIMARY KEY (kind, tenant, name)
);
