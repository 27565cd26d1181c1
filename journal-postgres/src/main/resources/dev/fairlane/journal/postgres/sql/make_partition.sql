CREATE TABLE IF NOT EXISTS fairlane.{table} (LIKE fairlane.{parent} INCLUDING ALL)
WITH (autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 4)
