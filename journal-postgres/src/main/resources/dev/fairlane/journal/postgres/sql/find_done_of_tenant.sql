SELECT id, tenant, type, spec, status, ending, payload FROM fairlane.{table} WHERE tenant = ? AND id = ?
