DELETE FROM fairlane.job_done_late WHERE ctid = ANY (ARRAY(SELECT ctid FROM fairlane.job_done_late WHERE ended_at < ? LIMIT 10000))
