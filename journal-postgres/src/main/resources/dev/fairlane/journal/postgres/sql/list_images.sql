SELECT number, id, status FROM fairlane.{table} WHERE id IS NOT NULL AND spec IS NULL
