ALTER TABLE fairlane.{parent} DETACH PARTITION fairlane.{table} CONCURRENTLY
