SELECT id, tenant, name, callback_on, callback_type, callback_extras, callback_payload, created_at,
    state, total, succeeded, dead, cancelled, expired, callback_job, changed_at, done_at
FROM fairlane.job_group WHERE id = ?
