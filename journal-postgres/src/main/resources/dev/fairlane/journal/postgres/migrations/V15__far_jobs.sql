-- Open jobs that are due long after now. A row is the newest image of its job: what happens to the job moves it to a segment of job_open, or
-- to history. Found by id for those who ask for one, by tenant for lists, and by time for loading ahead.
CREATE TABLE fairlane.job_far (
    number  bigint  NOT NULL,
    -- Microseconds: when time next does something to the job.
    wake_at bigint  NOT NULL CHECK (wake_at > 0),
    tenant  int     NOT NULL,
    -- Whether it has an idempotency key that a start has to know.
    keyed   boolean NOT NULL,
    id      uuid    PRIMARY KEY,
    type    text    NOT NULL,
    spec    bytea   NOT NULL,
    status  bytea   NOT NULL,
    payload bytea   NOT NULL
);
CREATE INDEX job_far_wake ON fairlane.job_far (wake_at, id);
CREATE INDEX job_far_tenant ON fairlane.job_far (tenant, id);
CREATE INDEX job_far_key ON fairlane.job_far (id) WHERE keyed;

-- How many there are, so that a start need not count them. Written with the rows.
CREATE TABLE fairlane.far_count (
    tenant int    PRIMARY KEY,
    jobs   bigint NOT NULL
);
