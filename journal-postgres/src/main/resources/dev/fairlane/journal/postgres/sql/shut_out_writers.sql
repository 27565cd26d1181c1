SELECT pg_advisory_xact_lock(571700001, ?)
