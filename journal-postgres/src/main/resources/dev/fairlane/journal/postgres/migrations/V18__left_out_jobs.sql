-- Jobs that were only added may be left out of a flush: most of those that come in a flood end before they would be rows. The journal is kept for them from
-- the batch kept_from on, and no longer only behind up_to. What was flushed before has left nobody out.
ALTER TABLE fairlane.flush_0 ADD COLUMN kept_from bigint;
ALTER TABLE fairlane.flush_1 ADD COLUMN kept_from bigint;
UPDATE fairlane.flush_0 SET kept_from = up_to + 1;
UPDATE fairlane.flush_1 SET kept_from = up_to + 1;
ALTER TABLE fairlane.flush_0
    ALTER COLUMN kept_from SET NOT NULL,
    ADD CONSTRAINT flush_0_kept_from_check CHECK (kept_from BETWEEN 1 AND up_to + 1),
    DROP CONSTRAINT flush_0_pkey,
    ADD PRIMARY KEY (log, up_to, kept_from);
ALTER TABLE fairlane.flush_1
    ALTER COLUMN kept_from SET NOT NULL,
    ADD CONSTRAINT flush_1_kept_from_check CHECK (kept_from BETWEEN 1 AND up_to + 1),
    DROP CONSTRAINT flush_1_pkey,
    ADD PRIMARY KEY (log, up_to, kept_from);

COMMENT ON COLUMN fairlane.flush_0.hash IS 'Of the batch before kept_from, to check the chain from there on.';
COMMENT ON COLUMN fairlane.flush_1.hash IS 'Of the batch before kept_from, to check the chain from there on.';

CREATE OR REPLACE VIEW fairlane.flush AS
SELECT 0 AS ring, * FROM fairlane.flush_0
UNION ALL SELECT 1 AS ring, * FROM fairlane.flush_1;

DROP FUNCTION fairlane.begin_flush(int, bigint);
DROP FUNCTION fairlane.end_flush(int, bigint, bigint, int, bigint, int);

-- Fences a flush, and says what to do: go, repeated (it is done: segment is what its receipt said), closed, beyond (no such batch), or back (the last one
-- covered more, or gave up batches this one needs). Flushes of a log are serialised, a lost one of which only the server knows included.
CREATE FUNCTION fairlane.begin_flush(
    p_log int, p_up_to bigint, p_kept_from bigint, OUT outcome text, OUT number bigint, OUT segment int)
    LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_last record;
BEGIN
    IF NOT fairlane.hold_open(p_log) THEN
        outcome := 'closed';
        RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(571700002, p_log);
    SELECT f.up_to, f.kept_from, f.segment INTO v_last FROM fairlane.flush f
    WHERE f.log = p_log ORDER BY f.up_to DESC, f.kept_from DESC LIMIT 1;
    IF v_last.up_to >= p_up_to AND v_last.kept_from >= p_kept_from THEN
        outcome := 'repeated';
        segment := v_last.segment;
        RETURN;
    END IF;
    IF v_last.up_to > p_up_to OR v_last.kept_from > p_kept_from THEN
        outcome := 'back';
        RETURN;
    END IF;
    -- A batch that was flushed before was there.
    IF p_up_to > coalesce(v_last.up_to, 0)
        AND NOT EXISTS (SELECT FROM fairlane.journal j WHERE j.log = p_log AND j.seq = p_up_to AND j.part = 0) THEN
        outcome := 'beyond';
        RETURN;
    END IF;
    outcome := 'go';
    number := nextval('fairlane.flush_number');
END $$;

-- Moves the position. The first flush of a log also covers the tails of all logs before it. The batch before kept_from is kept until kept_from has moved
-- beyond it, which is when its hash is taken: as long as kept_from stays, the last flush knows it.
CREATE FUNCTION fairlane.end_flush(
    p_log int, p_up_to bigint, p_kept_from bigint, p_number bigint, p_segment int, p_high_water_at bigint, p_ring int) RETURNS void
    LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_last record;
    v_hash bytea;
BEGIN
    SELECT f.kept_from, f.hash INTO v_last FROM fairlane.flush f
    WHERE f.log = p_log ORDER BY f.up_to DESC, f.kept_from DESC LIMIT 1;
    IF NOT FOUND THEN
        UPDATE fairlane.log SET projected_by = p_log WHERE epoch < p_log AND projected_by IS NULL;
    END IF;
    IF v_last.kept_from = p_kept_from THEN
        v_hash := v_last.hash;
    ELSIF p_kept_from = 1 THEN
        SELECT genesis INTO STRICT v_hash FROM fairlane.log WHERE epoch = p_log;
    ELSE
        SELECT hash INTO STRICT v_hash FROM fairlane.journal WHERE log = p_log AND seq = p_kept_from - 1 AND part = 0;
    END IF;
    CASE p_ring
        WHEN 0 THEN
            INSERT INTO fairlane.flush_0 (number, up_to, kept_from, log, segment, high_water_at, hash)
            VALUES (p_number, p_up_to, p_kept_from, p_log, p_segment, p_high_water_at, v_hash);
        WHEN 1 THEN
            INSERT INTO fairlane.flush_1 (number, up_to, kept_from, log, segment, high_water_at, hash)
            VALUES (p_number, p_up_to, p_kept_from, p_log, p_segment, p_high_water_at, v_hash);
    END CASE;
END $$;

-- For the writer of an open log whose version knows nothing of this: it goes on until its log is closed, and leaves nobody out.
CREATE FUNCTION fairlane.begin_flush(p_log int, p_up_to bigint, OUT outcome text, OUT number bigint, OUT segment int)
    LANGUAGE sql VOLATILE AS $$
SELECT * FROM fairlane.begin_flush(p_log, p_up_to, p_up_to + 1)
$$;

CREATE FUNCTION fairlane.end_flush(
    p_log int, p_up_to bigint, p_number bigint, p_segment int, p_high_water_at bigint, p_ring int) RETURNS void
    LANGUAGE sql VOLATILE AS $$
SELECT fairlane.end_flush(p_log, p_up_to, p_up_to + 1, p_number, p_segment, p_high_water_at, p_ring)
$$;

-- Format 3: flushes may leave jobs out. A version before would read such a log from behind up_to only, and drop what is kept. It says format 2, so it
-- cannot open a log, and nobody else's is closed for it. Logs it has opened before may still be closed.
ALTER TABLE fairlane.log ADD CONSTRAINT log_format_known CHECK (format >= 3 OR closed_at IS NOT NULL) NOT VALID;
