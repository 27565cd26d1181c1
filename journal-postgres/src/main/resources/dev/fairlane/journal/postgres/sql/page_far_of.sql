SELECT wake_at, id, tenant, type, spec, status FROM fairlane.job_far
WHERE tenant = ? AND id > ? ORDER BY id LIMIT ?
