SELECT number, id, tenant, type, spec, status, payload, NULL::bytea AS ids, NULL::bytea AS bundle
FROM fairlane.{table} WHERE id = ANY (?::uuid[]) AND spec IS NOT NULL
UNION ALL
SELECT number, NULL, NULL, NULL, NULL, NULL, NULL, ids, bundle
FROM fairlane.{table} WHERE ctid = ANY (ARRAY(
    SELECT b.ctid FROM unnest(?::int[], ?::uuid[], ?::uuid[]) AS k (tenant, first, last)
    JOIN fairlane.{table} b ON b.tenant = k.tenant AND b.last >= k.first AND b.id <= k.last
    WHERE b.bundle IS NOT NULL))
