SELECT id, tenant, type, spec, status, ending, payload FROM fairlane.job_dead WHERE {where}
