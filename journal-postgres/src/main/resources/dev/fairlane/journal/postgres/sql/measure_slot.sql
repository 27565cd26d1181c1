SELECT count(status) + coalesce(sum(octet_length(ids) / 8), 0), pg_relation_size('fairlane.{table}') FROM fairlane.{table}
