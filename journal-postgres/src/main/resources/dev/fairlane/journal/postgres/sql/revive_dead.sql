DELETE FROM fairlane.job_dead d USING unnest(?::int[], ?::uuid[]) AS k (tenant, id) WHERE d.tenant = k.tenant AND d.id = k.id
