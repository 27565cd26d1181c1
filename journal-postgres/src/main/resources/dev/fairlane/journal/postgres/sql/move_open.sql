INSERT INTO fairlane.{table} (number, id, tenant, type, spec, status, payload)
SELECT ?, o.id, o.tenant, o.type, o.spec, coalesce(m.status, o.status), o.payload
FROM fairlane.{from} o JOIN unnest(?::uuid[], ?::bigint[], ?::bytea[]) AS m (id, number, status) ON o.id = m.id AND o.number = m.number
WHERE o.spec IS NOT NULL
