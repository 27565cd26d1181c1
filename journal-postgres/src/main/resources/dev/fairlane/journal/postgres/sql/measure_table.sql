SELECT pg_total_relation_size('fairlane.{table}')
