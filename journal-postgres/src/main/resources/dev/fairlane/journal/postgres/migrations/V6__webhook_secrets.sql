-- With what webhooks are signed. Two, so that receivers can change over; in plain, since a signature needs them.
CREATE TABLE fairlane.webhook_secret (
    tenant         int    PRIMARY KEY,
    secret         text   NOT NULL CHECK (secret <> ''),
    made_at        bigint NOT NULL,
    secret_before  text,
    made_before_at bigint,
    CHECK ((secret_before IS NULL) = (made_before_at IS NULL))
);
