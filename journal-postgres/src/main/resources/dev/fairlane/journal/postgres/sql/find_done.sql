WITH RECURSIVE owner (tenant) AS (
    (SELECT tenant FROM fairlane.{table} ORDER BY tenant LIMIT 1)
    UNION ALL
    SELECT (SELECT d.tenant FROM fairlane.{table} d WHERE d.tenant > owner.tenant ORDER BY d.tenant LIMIT 1)
    FROM owner WHERE owner.tenant IS NOT NULL
)
SELECT d.id, d.tenant, d.type, d.spec, d.status, d.ending, d.payload
FROM owner CROSS JOIN LATERAL (SELECT * FROM fairlane.{table} t WHERE t.tenant = owner.tenant AND t.id = ?) d
