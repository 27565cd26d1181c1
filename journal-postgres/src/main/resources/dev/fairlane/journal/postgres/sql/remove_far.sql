DELETE FROM fairlane.job_far WHERE id = ANY (?) RETURNING tenant
