SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = 'fairlane.job_key'::regclass AND NOT i.inhdetachpending
  AND NOT EXISTS (SELECT FROM pg_index x WHERE x.indrelid = c.oid)
ORDER BY c.relname
