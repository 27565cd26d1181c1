INSERT INTO fairlane.far_count AS c (tenant, jobs) SELECT * FROM unnest(?::int[], ?::bigint[])
ON CONFLICT (tenant) DO UPDATE SET jobs = c.jobs + excluded.jobs
