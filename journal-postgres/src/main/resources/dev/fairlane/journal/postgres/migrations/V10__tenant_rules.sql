-- How a tenant is treated where it differs from its tier: packed by RowCodec, empty for no difference.
ALTER TABLE fairlane.tenant
    ADD COLUMN rules bytea NOT NULL DEFAULT '';

-- The pool a type runs in while it breaks the bounds of the one it declares; empty: it runs where it declares.
ALTER TABLE fairlane.job_type
    ADD COLUMN moved_pool  text   NOT NULL DEFAULT '',
    ADD COLUMN moved_until bigint NOT NULL DEFAULT 0;
