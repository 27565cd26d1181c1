CREATE INDEX {table}_id ON fairlane.{table} (id) WHERE id IS NOT NULL;
CREATE INDEX {table}_tenant ON fairlane.{table} (tenant) WHERE spec IS NOT NULL;
CREATE INDEX {table}_bundle ON fairlane.{table} (tenant, last, id) WHERE bundle IS NOT NULL;
CREATE INDEX {table}_last ON fairlane.{table} (last, id) WHERE bundle IS NOT NULL;
CREATE INDEX {table}_ends ON fairlane.{table} (number) WHERE ends IS NOT NULL;
SET LOCAL default_statistics_target = 3;
ANALYZE fairlane.{table} (id, tenant, last, ends)
