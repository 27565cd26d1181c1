DELETE FROM fairlane.far_count WHERE jobs = 0 AND tenant = ANY (?)
