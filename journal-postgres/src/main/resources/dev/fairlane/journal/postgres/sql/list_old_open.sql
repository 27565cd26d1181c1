SELECT number, id, tenant, type, spec FROM fairlane.{table} WHERE spec IS NOT NULL AND id < ?
