SELECT tenant, type, failure_class, count(*), count(*) FILTER (WHERE ended_at > clock_timestamp() - interval '1 hour'),
       (extract(epoch FROM min(ended_at)) * 1000000)::bigint, (extract(epoch FROM max(ended_at)) * 1000000)::bigint
FROM fairlane.job_dead WHERE {where} AND (? = '' OR message ILIKE ?)
GROUP BY tenant, type, failure_class ORDER BY count(*) DESC, tenant, type, failure_class LIMIT 1000
