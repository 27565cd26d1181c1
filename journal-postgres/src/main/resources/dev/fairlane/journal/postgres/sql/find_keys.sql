SELECT probe.place, k.id, k.body_hash, k.submitted_at,
       (SELECT d.state FROM fairlane.job_done d WHERE d.tenant = k.tenant AND d.id = k.id)
FROM unnest(?::int[], ?::text[], ?::bigint[], ?::bigint[]) WITH ORDINALITY AS probe (tenant, key, first, beyond, place)
JOIN fairlane.job_key k
  ON hashtextextended(k.key, k.tenant::bigint) = hashtextextended(probe.key, probe.tenant::bigint)
 AND k.tenant = probe.tenant AND k.key = probe.key
 AND k.submitted_at >= probe.first AND k.submitted_at < probe.beyond
WHERE k.submitted_at >= ? AND k.submitted_at < ?
