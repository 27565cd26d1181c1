SELECT number, id, tenant, type, spec, status FROM fairlane.{table} WHERE spec IS NOT NULL
