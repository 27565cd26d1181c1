SELECT tenant, id, type, spec FROM fairlane.job_dead WHERE key IS NOT NULL AND id < ?
