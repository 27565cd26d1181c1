ALTER TABLE fairlane.{parent} DETACH PARTITION fairlane.{table} FINALIZE
