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
    kind text := (SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'open_row_kind' AND conrelid = 'fairlane.open_row'::regclass);
BEGIN
    FOR slot IN SELECT 'fairlane.job_open_' || s.slot FROM fairlane.open_slot s LOOP
        EXECUTE 'ALTER TABLE ' || slot || ' ADD COLUMN last uuid, ADD COLUMN ids bytea, ADD COLUMN bundle bytea';
        EXECUTE 'ALTER TABLE ' || slot || ' DROP CONSTRAINT open_row_check';
        EXECUTE 'ALTER TABLE ' || slot || ' ADD CONSTRAINT open_row_kind ' || kind;
        EXECUTE 'ALTER TABLE ' || slot || ' ALTER COLUMN ids SET STORAGE PLAIN';
        EXECUTE 'ALTER TABLE ' || slot || ' ALTER COLUMN bundle SET STORAGE PLAIN';
    END LOOP;
END $$;

-- Which indexes a slot's table has: 0 none, 1 those of before, 2 those of bundles too. A version that knows nothing of bundles would take their segments for
-- empty ones; it misses the column and does not start.
ALTER TABLE fairlane.open_slot ADD COLUMN indexes int NOT NULL DEFAULT 0;
UPDATE fairlane.open_slot SET indexes = 1 WHERE indexed;
ALTER TABLE fairlane.open_slot DROP COLUMN indexed;
