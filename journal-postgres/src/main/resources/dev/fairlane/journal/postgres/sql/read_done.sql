SELECT d.id, d.tenant, d.type, d.spec, d.status, d.ending, d.payload
FROM unnest(?::int[], ?::uuid[]) AS k (tenant, id) JOIN fairlane.{table} d USING (tenant, id)
