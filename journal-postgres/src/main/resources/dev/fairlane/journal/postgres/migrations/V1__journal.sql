-- The journal: logs, their batches, and how far each is projected.

-- One start of one node. Changed by takeover, closing and the first flush of a successor only.
CREATE TABLE fairlane.log (
    epoch        int PRIMARY KEY CHECK (epoch BETWEEN 1 AND 4194303),
    node         text NOT NULL,
    genesis      bytea NOT NULL CHECK (length(genesis) = 32),
    opened_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    closed_at    timestamptz,
    -- The log whose first flush covered what this one had not projected when it was closed.
    projected_by int CHECK (projected_by > epoch),
    CHECK (projected_by IS NULL OR closed_at IS NOT NULL)
);

-- A ring of plain tables: the writer fills one after the other, and empties those that are projected. A batch is cut into parts that
-- fill a page each, uncompressed and in line.
CREATE TABLE fairlane.journal_0 (
    seq   bigint NOT NULL CHECK (seq > 0),
    log   int    NOT NULL,
    part  int    NOT NULL,
    hash  bytea CHECK ((hash IS NOT NULL) = (part = 0)),
    bytes bytea NOT NULL,
    PRIMARY KEY (log, seq, part)
) WITH (autovacuum_enabled = false);
ALTER TABLE fairlane.journal_0 ALTER COLUMN hash SET STORAGE PLAIN;
ALTER TABLE fairlane.journal_0 ALTER COLUMN bytes SET STORAGE PLAIN;

CREATE TABLE fairlane.journal_1 (
    seq   bigint NOT NULL CHECK (seq > 0),
    log   int    NOT NULL,
    part  int    NOT NULL,
    hash  bytea CHECK ((hash IS NOT NULL) = (part = 0)),
    bytes bytea NOT NULL,
    PRIMARY KEY (log, seq, part)
) WITH (autovacuum_enabled = false);
ALTER TABLE fairlane.journal_1 ALTER COLUMN hash SET STORAGE PLAIN;
ALTER TABLE fairlane.journal_1 ALTER COLUMN bytes SET STORAGE PLAIN;

CREATE TABLE fairlane.journal_2 (
    seq   bigint NOT NULL CHECK (seq > 0),
    log   int    NOT NULL,
    part  int    NOT NULL,
    hash  bytea CHECK ((hash IS NOT NULL) = (part = 0)),
    bytes bytea NOT NULL,
    PRIMARY KEY (log, seq, part)
) WITH (autovacuum_enabled = false);
ALTER TABLE fairlane.journal_2 ALTER COLUMN hash SET STORAGE PLAIN;
ALTER TABLE fairlane.journal_2 ALTER COLUMN bytes SET STORAGE PLAIN;

CREATE TABLE fairlane.journal_3 (
    seq   bigint NOT NULL CHECK (seq > 0),
    log   int    NOT NULL,
    part  int    NOT NULL,
    hash  bytea CHECK ((hash IS NOT NULL) = (part = 0)),
    bytes bytea NOT NULL,
    PRIMARY KEY (log, seq, part)
) WITH (autovacuum_enabled = false);
ALTER TABLE fairlane.journal_3 ALTER COLUMN hash SET STORAGE PLAIN;
ALTER TABLE fairlane.journal_3 ALTER COLUMN bytes SET STORAGE PLAIN;

CREATE VIEW fairlane.journal AS
SELECT 0 AS ring, log, seq, part, hash, bytes FROM fairlane.journal_0
UNION ALL SELECT 1 AS ring, log, seq, part, hash, bytes FROM fairlane.journal_1
UNION ALL SELECT 2 AS ring, log, seq, part, hash, bytes FROM fairlane.journal_2
UNION ALL SELECT 3 AS ring, log, seq, part, hash, bytes FROM fairlane.journal_3;

-- Up to where a log is projected. Only the newest row of a log counts; two tables take turns, so that nothing is deleted row by row.
CREATE TABLE fairlane.flush_0 (
    number        bigint NOT NULL,
    up_to         bigint NOT NULL CHECK (up_to >= 0),
    log           int    NOT NULL,
    segment       int    NOT NULL,
    -- Microseconds: the greatest time known when it was written.
    high_water_at bigint NOT NULL,
    flushed_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Of batch up_to, to check the chain from here on.
    hash          bytea NOT NULL,
    PRIMARY KEY (log, up_to)
) WITH (autovacuum_enabled = false);

CREATE TABLE fairlane.flush_1 (
    number        bigint NOT NULL,
    up_to         bigint NOT NULL CHECK (up_to >= 0),
    log           int    NOT NULL,
    segment       int    NOT NULL,
    -- Microseconds: the greatest time known when it was written.
    high_water_at bigint NOT NULL,
    flushed_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Of batch up_to, to check the chain from here on.
    hash          bytea NOT NULL,
    PRIMARY KEY (log, up_to)
) WITH (autovacuum_enabled = false);

CREATE VIEW fairlane.flush AS
SELECT 0 AS ring, * FROM fairlane.flush_0
UNION ALL SELECT 1 AS ring, * FROM fairlane.flush_1;

-- Orders flushes and compactions, and with them the images of a job.
CREATE SEQUENCE fairlane.flush_number;

-- Markers committed behind an append whose outcome was unknown.
CREATE TABLE fairlane.resolution (
    log         int NOT NULL,
    seq         bigint NOT NULL,
    resolved_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The fence. Lock first; whether the log is open is asked by the next statement, whose snapshot is younger than the lock. Hence plpgsql
-- and VOLATILE: in one SQL statement the snapshot would be older than the lock, and a takeover in between would go unseen.
CREATE FUNCTION fairlane.hold_open(p_log int) RETURNS boolean
    LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(571700001, p_log);
    PERFORM FROM fairlane.log WHERE epoch = p_log AND closed_at IS NULL;
    RETURN FOUND;
END $$;

-- One batch, one round trip. False: the log is closed, nothing was written.
CREATE FUNCTION fairlane.append(p_log int, p_seq bigint, p_ring int, p_hash bytea, p_bytes bytea) RETURNS boolean
    LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_chunk CONSTANT int := 8000;
    v_last  CONSTANT int := greatest(length(p_bytes) - 1, 0) / v_chunk;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(571700001, p_log);
    PERFORM FROM fairlane.log WHERE epoch = p_log AND closed_at IS NULL;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    CASE p_ring
        WHEN 0 THEN
            INSERT INTO fairlane.journal_0 (seq, log, part, hash, bytes)
            SELECT p_seq, p_log, i, CASE i WHEN 0 THEN p_hash END, substring(p_bytes FROM i * v_chunk + 1 FOR v_chunk)
            FROM generate_series(0, v_last) i;
        WHEN 1 THEN
            INSERT INTO fairlane.journal_1 (seq, log, part, hash, bytes)
            SELECT p_seq, p_log, i, CASE i WHEN 0 THEN p_hash END, substring(p_bytes FROM i * v_chunk + 1 FOR v_chunk)
            FROM generate_series(0, v_last) i;
        WHEN 2 THEN
            INSERT INTO fairlane.journal_2 (seq, log, part, hash, bytes)
            SELECT p_seq, p_log, i, CASE i WHEN 0 THEN p_hash END, substring(p_bytes FROM i * v_chunk + 1 FOR v_chunk)
            FROM generate_series(0, v_last) i;
        WHEN 3 THEN
            INSERT INTO fairlane.journal_3 (seq, log, part, hash, bytes)
            SELECT p_seq, p_log, i, CASE i WHEN 0 THEN p_hash END, substring(p_bytes FROM i * v_chunk + 1 FOR v_chunk)
            FROM generate_series(0, v_last) i;
    END CASE;
    RETURN true;
END $$;

-- Fences a flush, and says what to do: go, repeated (it is done: segment is what its receipt said), closed, or beyond (no such batch).
-- Flushes of a log are serialised, a lost one of which only the server knows included.
CREATE FUNCTION fairlane.begin_flush(p_log int, p_up_to bigint, OUT outcome text, OUT number bigint, OUT segment int)
    LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF NOT fairlane.hold_open(p_log) THEN
        outcome := 'closed';
        RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(571700002, p_log);
    SELECT f.segment INTO segment FROM fairlane.flush f
    WHERE f.log = p_log AND f.up_to >= p_up_to ORDER BY f.up_to DESC LIMIT 1;
    IF FOUND THEN
        outcome := 'repeated';
        RETURN;
    END IF;
    IF p_up_to > 0 AND NOT EXISTS (SELECT FROM fairlane.journal j WHERE j.log = p_log AND j.seq = p_up_to AND j.part = 0) THEN
        outcome := 'beyond';
        RETURN;
    END IF;
    outcome := 'go';
    number := nextval('fairlane.flush_number');
END $$;

-- Moves the position. The first flush of a log also covers the tails of all logs before it.
CREATE FUNCTION fairlane.end_flush(
    p_log int, p_up_to bigint, p_number bigint, p_segment int, p_high_water_at bigint, p_ring int) RETURNS void
    LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_hash bytea;
BEGIN
    IF NOT EXISTS (SELECT FROM fairlane.flush WHERE log = p_log) THEN
        UPDATE fairlane.log SET projected_by = p_log WHERE epoch < p_log AND projected_by IS NULL;
    END IF;
    IF p_up_to = 0 THEN
        SELECT genesis INTO STRICT v_hash FROM fairlane.log WHERE epoch = p_log;
    ELSE
        SELECT hash INTO STRICT v_hash FROM fairlane.journal WHERE log = p_log AND seq = p_up_to AND part = 0;
    END IF;
    CASE p_ring
        WHEN 0 THEN
            INSERT INTO fairlane.flush_0 (number, up_to, log, segment, high_water_at, hash)
            VALUES (p_number, p_up_to, p_log, p_segment, p_high_water_at, v_hash);
        WHEN 1 THEN
            INSERT INTO fairlane.flush_1 (number, up_to, log, segment, high_water_at, hash)
            VALUES (p_number, p_up_to, p_log, p_segment, p_high_water_at, v_hash);
    END CASE;
END $$;

-- Fences a compaction: go, gone (the segment was emptied before), closed.
CREATE FUNCTION fairlane.begin_compaction(p_log int, p_segment int, OUT outcome text, OUT number bigint)
    LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF NOT fairlane.hold_open(p_log) THEN
        outcome := 'closed';
        RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(571700002, p_log);
    IF NOT EXISTS (SELECT FROM fairlane.open_slot s WHERE s.segment = p_segment) THEN
        outcome := 'gone';
        RETURN;
    END IF;
    outcome := 'go';
    number := nextval('fairlane.flush_number');
END $$;
