DELETE FROM fairlane.job_dead WHERE {where}
