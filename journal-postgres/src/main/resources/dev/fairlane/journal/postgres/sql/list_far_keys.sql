SELECT id, tenant, type, spec FROM fairlane.job_far WHERE keyed
