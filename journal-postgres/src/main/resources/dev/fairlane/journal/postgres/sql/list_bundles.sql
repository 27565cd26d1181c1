SELECT number, ids, bundle FROM fairlane.{table} WHERE bundle IS NOT NULL
