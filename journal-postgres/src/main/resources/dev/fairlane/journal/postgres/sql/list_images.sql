SELECT number, id, status FROM fairlane.{table} WHERE status IS NOT NULL AND spec IS NULL
