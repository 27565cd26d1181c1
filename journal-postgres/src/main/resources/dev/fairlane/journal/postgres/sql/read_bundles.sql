SELECT number, bundle, ctid::text FROM fairlane.{table} WHERE ctid = ANY (?::tid[])
