SELECT tenant, key, submitted_at FROM fairlane.job_key WHERE submitted_at < ?
