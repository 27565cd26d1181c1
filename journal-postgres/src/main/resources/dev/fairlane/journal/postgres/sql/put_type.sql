INSERT INTO fairlane.job_type (tenant, name, pool, max_attempts, time_limit_micros, changed_at, rules, quarantined_at,
    moved_pool, moved_until)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (tenant, name) DO UPDATE SET pool = excluded.pool, max_attempts = excluded.max_attempts,
    time_limit_micros = excluded.time_limit_micros, changed_at = excluded.changed_at, rules = excluded.rules,
    quarantined_at = excluded.quarantined_at, moved_pool = excluded.moved_pool, moved_until = excluded.moved_until
