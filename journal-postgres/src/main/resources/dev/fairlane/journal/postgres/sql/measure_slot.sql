SELECT count(id), pg_relation_size('fairlane.{table}') FROM fairlane.{table}
