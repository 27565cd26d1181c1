-- Changes of the control plane by a person or a key, chained by hash per tenant. How an entry is hashed: AuditHash.
CREATE TABLE fairlane.audit (
    -- A tenant; 0 for the system.
    chain    int    NOT NULL,
    sequence bigint NOT NULL CHECK (sequence > 0),
    -- Microseconds since the epoch; never falls along a chain.
    at       bigint NOT NULL,
    key_id   text   NOT NULL,
    key_name text   NOT NULL,
    role     text   NOT NULL,
    request  text   NOT NULL,
    trace    text   NOT NULL,
    digest   bytea  NOT NULL,
    action   text   NOT NULL,
    target   text   NOT NULL,
    summary  text   NOT NULL,
    -- May be made empty; its digest stays.
    reason   text   NOT NULL,
    reason_digest bytea NOT NULL,
    before   bytea  NOT NULL,
    after    bytea  NOT NULL,
    hash     bytea  NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (chain, sequence)
);

CREATE INDEX audit_when ON fairlane.audit (at, chain, sequence);

-- Both ends of each chain: the last entry that was dropped because of its age, and the newest.
CREATE TABLE fairlane.audit_chain (
    chain       int    PRIMARY KEY,
    anchor      bigint NOT NULL,
    anchor_hash bytea  NOT NULL CHECK (octet_length(anchor_hash) = 32),
    sequence    bigint NOT NULL CHECK (sequence >= anchor),
    hash        bytea  NOT NULL CHECK (octet_length(hash) = 32),
    at          bigint NOT NULL
) WITH (fillfactor = 80);
