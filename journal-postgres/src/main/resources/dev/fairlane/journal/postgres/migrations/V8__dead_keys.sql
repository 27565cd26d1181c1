-- Keys of dead jobs count whatever their age and are looked up one by one.
CREATE INDEX job_dead_by_key ON fairlane.job_dead (hashtextextended(key, tenant::bigint)) WHERE key IS NOT NULL;
