SELECT number, bundle FROM fairlane.{table} WHERE ctid = ANY (?::tid[])
