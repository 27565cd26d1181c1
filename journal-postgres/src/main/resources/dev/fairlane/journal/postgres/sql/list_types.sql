SELECT tenant, name, pool, max_attempts, time_limit_micros, changed_at, rules, quarantined_at, moved_pool, moved_until
FROM fairlane.job_type ORDER BY tenant, name
