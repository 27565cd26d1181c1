COPY fairlane.{table} (number, id, tenant, last, ids, bundle) FROM STDIN (FORMAT binary)
