-- The rows people ask for: open jobs, finished jobs, dead letters, keys, tenants, types, credentials.

-- Segments of open jobs are tables job_open_<slot>; a slot is used again once its segment was emptied. Segment numbers only grow.
CREATE TABLE fairlane.open_slot (
    slot    int PRIMARY KEY,
    segment int UNIQUE,
    -- Its segment was emptied, but the table still has the old rows: somebody may be reading them.
    dirty   boolean NOT NULL DEFAULT false,
    indexed boolean NOT NULL DEFAULT false,
    -- Known once it is sealed.
    first_id uuid,
    last_id  uuid,
    CHECK (segment IS NULL OR NOT dirty)
);
CREATE SEQUENCE fairlane.open_segment AS int;

-- Held in ACCESS SHARE mode by those who read segments, taken ACCESS EXCLUSIVE to truncate one: nobody who looked up where the open
-- jobs are finds a table empty. (TRUNCATE alone is not safe for snapshots taken before it.)
CREATE TABLE fairlane.open_reading ();

-- What a slot's table looks like. A row is one of: a job (spec set), a newer image of a job (status only), or ends: the low halves of
-- ids of jobs of this segment that ended. The greatest number of an id wins.
CREATE TABLE fairlane.open_row (
    number  bigint NOT NULL,
    id      uuid,
    tenant  int,
    type    text,
    spec    bytea,
    status  bytea,
    payload bytea,
    ends    bytea,
    CHECK (CASE WHEN ends IS NULL THEN id IS NOT NULL AND status IS NOT NULL ELSE id IS NULL END)
);
ALTER TABLE fairlane.open_row ALTER COLUMN payload SET STORAGE EXTERNAL;
ALTER TABLE fairlane.open_row ALTER COLUMN ends SET STORAGE PLAIN;

CREATE FUNCTION fairlane.write_ends(p_number bigint, p_slots int[], p_ends bytea[]) RETURNS void
    LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    FOR i IN 1 .. cardinality(p_slots) LOOP
        EXECUTE format('INSERT INTO fairlane.job_open_%s (number, ends) VALUES ($1, $2)', p_slots[i]) USING p_number, p_ends[i];
    END LOOP;
END $$;

-- Finished jobs by day of submission. One index, because each costs a third of the throughput; no default partition.
CREATE TABLE fairlane.job_done (
    id       uuid NOT NULL,
    ended_at timestamptz NOT NULL,
    tenant   int NOT NULL,
    -- Ordinal of the state, as in the journal: 5 succeeded, 6 dead, 7 cancelled, 8 expired.
    state    smallint NOT NULL CHECK (state BETWEEN 5 AND 8),
    type     text NOT NULL,
    -- Packed by RowCodec: the rest of the spec, the whole status, result and failure.
    spec     bytea NOT NULL,
    status   bytea NOT NULL,
    ending   bytea NOT NULL,
    payload  bytea NOT NULL
) PARTITION BY RANGE (id);
ALTER TABLE fairlane.job_done ALTER COLUMN payload SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX job_done_key ON fairlane.job_done (tenant, id);

-- Jobs that finished after their day was dropped, or before it was made.
CREATE TABLE fairlane.job_done_late (
    id       uuid NOT NULL,
    ended_at timestamptz NOT NULL,
    tenant   int NOT NULL,
    -- Ordinal of the state, as in the journal: 5 succeeded, 6 dead, 7 cancelled, 8 expired.
    state    smallint NOT NULL CHECK (state BETWEEN 5 AND 8),
    type     text NOT NULL,
    -- Packed by RowCodec: the rest of the spec, the whole status, result and failure.
    spec     bytea NOT NULL,
    status   bytea NOT NULL,
    ending   bytea NOT NULL,
    payload  bytea NOT NULL
);
ALTER TABLE fairlane.job_done_late ALTER COLUMN payload SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX job_done_late_key ON fairlane.job_done_late (tenant, id);
CREATE INDEX job_done_late_ended ON fairlane.job_done_late (ended_at);

-- The dead-letter queue. A job is either here or in the history, never in both.
CREATE TABLE fairlane.job_dead (
    id       uuid NOT NULL,
    ended_at timestamptz NOT NULL,
    tenant   int NOT NULL,
    -- Ordinal of the state, as in the journal: 5 succeeded, 6 dead, 7 cancelled, 8 expired.
    state    smallint NOT NULL CHECK (state BETWEEN 5 AND 8),
    type     text NOT NULL,
    -- Packed by RowCodec: the rest of the spec, the whole status, result and failure.
    spec     bytea NOT NULL,
    status   bytea NOT NULL,
    ending   bytea NOT NULL,
    payload  bytea NOT NULL,
    key      text
);
ALTER TABLE fairlane.job_dead ALTER COLUMN payload SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX job_dead_key ON fairlane.job_dead (tenant, id);
CREATE INDEX job_dead_type ON fairlane.job_dead (tenant, type, id);
CREATE INDEX job_dead_ended ON fairlane.job_dead (ended_at);

-- Idempotency keys by hour of submission, read back at start only.
CREATE TABLE fairlane.job_key (
    id           uuid NOT NULL,
    submitted_at bigint NOT NULL,
    body_hash    bigint NOT NULL,
    tenant       int NOT NULL,
    key          text NOT NULL
) PARTITION BY RANGE (submitted_at);

-- What was dropped of a partitioned table: everything below this bound, in units of its partitions.
CREATE TABLE fairlane.dropped (
    parent text PRIMARY KEY,
    below  bigint NOT NULL
);

CREATE TABLE fairlane.tenant (
    number     int PRIMARY KEY,
    name       text NOT NULL,
    weight     int NOT NULL CHECK (weight > 0),
    changed_at bigint NOT NULL
);

CREATE TABLE fairlane.job_type (
    tenant            int NOT NULL,
    name              text NOT NULL,
    pool              text NOT NULL,
    max_attempts      int NOT NULL,
    time_limit_micros bigint NOT NULL,
    changed_at        bigint NOT NULL,
    PRIMARY KEY (tenant, name)
);

CREATE TABLE fairlane.api_key (
    id         text PRIMARY KEY,
    hash       bytea NOT NULL,
    name       text NOT NULL,
    tenant     text NOT NULL,
    role       text NOT NULL,
    created_at bigint NOT NULL,
    revoked_at bigint NOT NULL DEFAULT 0
);
