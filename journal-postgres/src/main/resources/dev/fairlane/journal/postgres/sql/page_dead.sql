SELECT id, (extract(epoch FROM ended_at) * 1000000)::bigint, ? = '' OR message ILIKE ?
FROM fairlane.job_dead WHERE {where} ORDER BY {order} LIMIT ?
