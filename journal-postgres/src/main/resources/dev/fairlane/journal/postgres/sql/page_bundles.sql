SELECT ctid::text, last FROM fairlane.{table} WHERE bundle IS NOT NULL AND id < ? ORDER BY last DESC
