UPDATE fairlane.job_far o SET number = c.number, status = m.status
FROM (SELECT ?::bigint AS number) AS c, unnest(?::uuid[], ?::bytea[]) AS m (id, status) WHERE o.id = m.id
