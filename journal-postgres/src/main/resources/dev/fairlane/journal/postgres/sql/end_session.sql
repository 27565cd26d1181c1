SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE pid = ? AND (extract(epoch FROM backend_start) * 1000000)::bigint = ?
