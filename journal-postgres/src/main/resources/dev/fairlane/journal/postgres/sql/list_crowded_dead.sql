SELECT tenant, count(*) FROM fairlane.job_dead GROUP BY tenant HAVING count(*) > ?
