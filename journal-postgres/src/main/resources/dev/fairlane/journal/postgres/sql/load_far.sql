SELECT wake_at, id, tenant, type, spec, status, CASE WHEN octet_length(payload) <= ? THEN payload END FROM fairlane.job_far
WHERE (wake_at, id) > (?, ?) AND wake_at <= ? ORDER BY wake_at, id LIMIT ?
