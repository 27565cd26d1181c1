COPY fairlane.{table} (id, submitted_at, body_hash, tenant, key) FROM STDIN (FORMAT binary)
