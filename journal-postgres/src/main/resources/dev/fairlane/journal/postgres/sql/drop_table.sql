DROP TABLE IF EXISTS fairlane.{table}
