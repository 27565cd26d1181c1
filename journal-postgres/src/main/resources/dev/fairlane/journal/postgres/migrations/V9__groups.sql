-- Groups of jobs. The callback is a job to be: type and payload as they are, the rest packed by RowCodec.
CREATE TABLE fairlane.job_group (
    id               uuid     PRIMARY KEY,
    tenant           int      NOT NULL,
    name             text     NOT NULL,
    callback_on      smallint NOT NULL,
    callback_type    text,
    callback_extras  bytea,
    callback_payload bytea,
    created_at       bigint   NOT NULL,
    state            smallint NOT NULL,
    total            int      NOT NULL,
    succeeded        int      NOT NULL,
    dead             int      NOT NULL,
    cancelled        int      NOT NULL,
    expired          int      NOT NULL,
    callback_job     uuid,
    changed_at       bigint   NOT NULL,
    done_at          bigint   NOT NULL,
    CHECK (succeeded + dead + cancelled + expired <= total),
    CHECK ((state = 2) = (done_at > 0))
);

CREATE INDEX job_group_open ON fairlane.job_group (id) WHERE state <> 2;
CREATE INDEX job_group_done ON fairlane.job_group (done_at) WHERE state = 2;

CREATE TABLE fairlane.job_group_member (
    group_id uuid NOT NULL,
    job_id   uuid NOT NULL,
    PRIMARY KEY (group_id, job_id)
);
