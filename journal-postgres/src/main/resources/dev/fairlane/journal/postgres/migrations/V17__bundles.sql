-- Jobs of one tenant that were stored together share a row of open jobs, a bundle: what a deep backlog costs is mostly the number of its rows. In a row
-- of this kind the id is the smallest of its jobs, last the greatest, ids has the low halves of all of them, and the jobs themselves are in the bundle, as
-- the journal has them. What happens to one of them later is said in rows of its own, as before.
ALTER TABLE fairlane.open_row ADD COLUMN last uuid, ADD COLUMN ids bytea, ADD COLUMN bundle bytea;
ALTER TABLE fairlane.open_row DROP CONSTRAINT open_row_check;
ALTER TABLE fairlane.open_row ADD CONSTRAINT open_row_kind CHECK (
    CASE WHEN ends IS NOT NULL THEN id IS NULL AND bundle IS NULL
         WHEN bundle IS NOT NULL THEN id IS NOT NULL AND last IS NOT NULL AND id <= last AND tenant IS NOT NULL AND ids IS NOT NULL
             AND spec IS NULL AND status IS NULL
         ELSE id IS NOT NULL AND status IS NOT NULL AND last IS NULL AND ids IS NULL END);
ALTER TABLE fairlane.open_row ALTER COLUMN ids SET STORAGE PLAIN;
ALTER TABLE fairlane.open_row ALTER COLUMN bundle SET STORAGE PLAIN;

DO $$
DECLARE
    slot text;
    indexed boolean;
    kind text := (SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'open_row_kind' AND conrelid = 'fairlane.open_row'::regclass);
BEGIN
    FOR slot, indexed IN SELECT 'job_open_' || s.slot, s.indexed FROM fairlane.open_slot s LOOP
        EXECUTE 'ALTER TABLE fairlane.' || slot || ' ADD COLUMN last uuid, ADD COLUMN ids bytea, ADD COLUMN bundle bytea';
        EXECUTE 'ALTER TABLE fairlane.' || slot || ' DROP CONSTRAINT open_row_check';
        EXECUTE 'ALTER TABLE fairlane.' || slot || ' ADD CONSTRAINT open_row_kind ' || kind;
        EXECUTE 'ALTER TABLE fairlane.' || slot || ' ALTER COLUMN ids SET STORAGE PLAIN';
        EXECUTE 'ALTER TABLE fairlane.' || slot || ' ALTER COLUMN bundle SET STORAGE PLAIN';
        IF indexed THEN
            EXECUTE 'CREATE INDEX ' || slot || '_bundle ON fairlane.' || slot || ' (tenant, last, id) WHERE bundle IS NOT NULL';
            EXECUTE 'CREATE INDEX ' || slot || '_last ON fairlane.' || slot || ' (last, id) WHERE bundle IS NOT NULL';
        END IF;
    END LOOP;
END $$;

-- What the writer of a log may store: 1 rows, 2 bundles too. A version that knows nothing of bundles would take their segments for empty ones and truncate
-- them. It does not say a format, so it cannot open a log, and nobody else's is closed for it.
ALTER TABLE fairlane.log ADD COLUMN format int CHECK (format > 0);
UPDATE fairlane.log SET format = 1;
ALTER TABLE fairlane.log ALTER COLUMN format SET NOT NULL;
