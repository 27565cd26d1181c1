CREATE TABLE fairlane.{table} (LIKE fairlane.open_row INCLUDING STORAGE INCLUDING CONSTRAINTS)
WITH (autovacuum_enabled = false, toast.autovacuum_enabled = false)
