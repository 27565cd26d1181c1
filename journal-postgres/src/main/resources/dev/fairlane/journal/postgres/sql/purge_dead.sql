DELETE FROM fairlane.job_dead WHERE ctid = ANY (ARRAY(SELECT ctid FROM fairlane.job_dead WHERE ended_at < ? LIMIT 10000))
