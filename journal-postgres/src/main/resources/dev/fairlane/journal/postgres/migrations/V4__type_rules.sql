-- How jobs of a type are treated where it differs from the node's rules: packed by RowCodec, empty for no difference.
ALTER TABLE fairlane.job_type
    ADD COLUMN rules          bytea  NOT NULL DEFAULT '',
    ADD COLUMN quarantined_at bigint NOT NULL DEFAULT 0;
