TRUNCATE fairlane.{table}
