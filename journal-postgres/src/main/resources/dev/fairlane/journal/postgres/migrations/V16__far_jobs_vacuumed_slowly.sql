-- A crowd that comes due leaves as many dead rows as there were jobs. At its usual pace vacuum may dirty 5,000 pages a second, and every commit waits for
-- the log of them; a twentieth of that is soon enough. Rows that were only added need no vacuum: they go again.
ALTER TABLE fairlane.job_far SET (
    autovacuum_vacuum_cost_delay = 40,
    autovacuum_vacuum_insert_threshold = -1
);
