-- Schedules: the definition and how far it is, packed by RowCodec. The latter changes with every tick, so there is room on the page.
CREATE TABLE fairlane.schedule (
    tenant     int    NOT NULL,
    name       text   NOT NULL,
    definition bytea  NOT NULL,
    ticks      bytea  NOT NULL,
    changed_at bigint NOT NULL,
    PRIMARY KEY (tenant, name)
) WITH (fillfactor = 50);
