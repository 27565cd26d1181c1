SELECT number, ids, ctid::text FROM fairlane.{table} WHERE bundle IS NOT NULL AND last >= ? AND id <= ?
