SELECT o.wake_at, o.id, o.tenant, o.type, o.spec, o.status
FROM unnest(?::uuid[]) AS k (id) JOIN fairlane.job_far o USING (id)
