SELECT CASE p.span
           WHEN 'HOUR' THEN u.hour
           WHEN 'DAY' THEN u.hour - u.hour % 86400000000
           WHEN 'MONTH' THEN (extract(epoch FROM date_trunc('month', to_timestamp(u.hour / 1000000) AT TIME ZONE 'UTC')) * 1000000)::bigint
           ELSE 0 END AS from_at,
       CASE WHEN p.by_tenant THEN u.tenant ELSE 0 END AS by_tenant,
       CASE WHEN p.by_pool THEN u.pool ELSE '' END AS by_pool,
       CASE WHEN p.by_lane THEN u.lane ELSE '' END AS by_lane,
       CASE WHEN p.by_type THEN u.type ELSE '' END AS by_type,
       sum(u.executions)::bigint, sum(u.slot_micros)::bigint, sum(u.succeeded)::bigint, sum(u.dead)::bigint,
       sum(u.cancelled)::bigint, sum(u.expired)::bigint
FROM fairlane.usage_hour u,
     (SELECT ?::text AS span, ?::boolean AS by_tenant, ?::boolean AS by_pool, ?::boolean AS by_lane, ?::boolean AS by_type) p
WHERE u.hour >= ? AND u.hour < ? AND (? OR u.tenant = ?)
GROUP BY 1, 2, 3, 4, 5
ORDER BY 1, 2, 3, 4, 5
LIMIT ?
