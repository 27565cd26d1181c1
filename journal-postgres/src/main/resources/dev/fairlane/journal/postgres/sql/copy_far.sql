COPY fairlane.job_far (number, wake_at, tenant, keyed, id, type, spec, status, payload) FROM STDIN (FORMAT binary)
