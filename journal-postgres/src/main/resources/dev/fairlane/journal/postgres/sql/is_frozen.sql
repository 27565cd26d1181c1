SELECT pg_relation_size(oid) = 0 OR relpages > 0 AND relallvisible >= relpages FROM pg_class WHERE oid = 'fairlane.{table}'::regclass
