CREATE INDEX {table}_name ON fairlane.{table} (hashtextextended(key, tenant::bigint));
ANALYZE fairlane.{table}
