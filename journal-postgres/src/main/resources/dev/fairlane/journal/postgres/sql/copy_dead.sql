COPY fairlane.job_dead (id, ended_at, tenant, state, type, spec, status, ending, payload, key) FROM STDIN (FORMAT binary)
