SELECT o.number, o.id, o.tenant, o.type, o.spec, o.status, o.payload
FROM unnest(?::uuid[]) AS k (id) JOIN fairlane.{table} o USING (id) WHERE o.spec IS NOT NULL
ORDER BY o.number
