INSERT INTO fairlane.job_group (id, tenant, name, callback_on, callback_type, callback_extras, callback_payload, created_at,
    state, total, succeeded, dead, cancelled, expired, callback_job, changed_at, done_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
