-- What dead letters are found by. Those that died before this are found by type and time only.
ALTER TABLE fairlane.job_dead
    -- Ordinal of the class, as in the journal.
    ADD COLUMN failure_class smallint,
    ADD COLUMN message       text NOT NULL DEFAULT '';

-- In the order of their deaths: one tenant's, one type's, everybody's.
CREATE INDEX job_dead_time ON fairlane.job_dead (tenant, ended_at, id);
DROP INDEX fairlane.job_dead_type;
CREATE INDEX job_dead_type ON fairlane.job_dead (tenant, type, ended_at, id);
DROP INDEX fairlane.job_dead_ended;
CREATE INDEX job_dead_ended ON fairlane.job_dead (ended_at, id);
CREATE UNIQUE INDEX job_dead_id ON fairlane.job_dead (id);
