SELECT ctid::text, last FROM fairlane.{table} WHERE bundle IS NOT NULL AND tenant = ? AND id < ? ORDER BY last DESC
