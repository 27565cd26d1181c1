COPY fairlane.job_dead (id, ended_at, tenant, state, type, spec, status, ending, payload, key, failure_class, message) FROM STDIN (FORMAT binary)
