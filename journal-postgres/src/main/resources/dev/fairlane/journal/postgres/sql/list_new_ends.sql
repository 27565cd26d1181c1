SELECT number, ends FROM fairlane.{table} WHERE ends IS NOT NULL AND number > ?
