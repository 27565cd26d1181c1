SELECT number, id, tenant, type, spec, status, payload
FROM fairlane.{table} WHERE id = ANY (?::uuid[]) AND spec IS NOT NULL
