INSERT INTO fairlane.{table} (number, id, tenant, type, spec, status, payload)
SELECT ?, o.id, o.tenant, o.type, o.spec, coalesce(m.status, o.status), o.payload
FROM fairlane.{from} o JOIN unnest(?::uuid[], ?::bytea[]) AS m (id, status) ON o.id = m.id
WHERE o.spec IS NOT NULL
