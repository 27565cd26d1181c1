SELECT tenant, key, (extract(epoch FROM ended_at) * 1000000)::bigint FROM fairlane.job_dead WHERE key IS NOT NULL
