COPY fairlane.{table} (number, id, tenant, type, spec, status, payload) FROM STDIN (FORMAT binary)
