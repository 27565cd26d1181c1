SELECT tenant, key, id, body_hash, submitted_at FROM fairlane.job_key WHERE submitted_at >= ?
