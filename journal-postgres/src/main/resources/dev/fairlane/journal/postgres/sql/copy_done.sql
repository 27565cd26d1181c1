COPY fairlane.{table} (id, ended_at, tenant, state, type, spec, status, ending, payload) FROM STDIN (FORMAT binary)
