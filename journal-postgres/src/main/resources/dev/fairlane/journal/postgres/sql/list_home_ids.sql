SELECT number, id FROM fairlane.{table} WHERE spec IS NOT NULL
