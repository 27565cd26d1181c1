SELECT wake_at FROM fairlane.job_far WHERE (wake_at, id) > (?, ?) ORDER BY wake_at, id LIMIT 1
