-- Newest over all tenants with an index that begins with the tenant: jump from tenant to tenant, take the newest of each.
WITH RECURSIVE owner (tenant) AS (
    (SELECT tenant FROM fairlane.{table} ORDER BY tenant LIMIT 1)
    UNION ALL
    SELECT (SELECT d.tenant FROM fairlane.{table} d WHERE d.tenant > owner.tenant ORDER BY d.tenant LIMIT 1)
    FROM owner WHERE owner.tenant IS NOT NULL
)
SELECT j.id, j.tenant, j.state, j.type, j.size
FROM owner CROSS JOIN LATERAL (
    SELECT d.id, d.tenant, d.state, d.type, octet_length(d.payload) + octet_length(d.ending) AS size
    FROM fairlane.{table} d WHERE d.tenant = owner.tenant AND d.id >= ? AND d.id < ? ORDER BY d.id DESC LIMIT ?) j
ORDER BY j.id DESC LIMIT ?
