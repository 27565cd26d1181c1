DELETE FROM fairlane.job_dead
WHERE ctid = ANY (ARRAY(SELECT ctid FROM fairlane.job_dead WHERE tenant = ? ORDER BY ended_at, id LIMIT ?))
