INSERT INTO fairlane.{table} (number, id, tenant, type, spec, status, payload)
SELECT ?, o.id, o.tenant, o.type, o.spec, m.status, o.payload
FROM unnest(?::uuid[], ?::bytea[]) AS m (id, status) JOIN fairlane.job_far o USING (id)
