SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'fairlane' AND c.relkind = 'r' AND NOT c.relispartition AND c.relname ~ ?
