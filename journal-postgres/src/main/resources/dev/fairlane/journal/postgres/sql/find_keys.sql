SELECT probe.place, k.id, k.body_hash, k.submitted_at
FROM unnest(?::int[], ?::text[], ?::bigint[], ?::bigint[]) WITH ORDINALITY AS probe (tenant, key, first, beyond, place)
CROSS JOIN LATERAL (
    SELECT id, body_hash, submitted_at FROM fairlane.job_key k
    WHERE hashtextextended(k.key, k.tenant::bigint) = hashtextextended(probe.key, probe.tenant::bigint)
      AND k.tenant = probe.tenant AND k.key = probe.key
      AND k.submitted_at >= probe.first AND k.submitted_at < probe.beyond
    ORDER BY k.submitted_at DESC, k.id DESC LIMIT 1
) k
