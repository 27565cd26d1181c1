SELECT probe.place, d.id, d.tenant, d.type, d.spec
FROM unnest(?::int[], ?::text[], ?::bigint[]) AS probe (tenant, key, place)
JOIN fairlane.job_dead d
  ON hashtextextended(d.key, d.tenant::bigint) = hashtextextended(probe.key, probe.tenant::bigint)
 AND d.tenant = probe.tenant AND d.key = probe.key
WHERE d.key IS NOT NULL
