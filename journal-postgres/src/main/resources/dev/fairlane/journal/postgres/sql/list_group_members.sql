SELECT job_id FROM fairlane.job_group_member WHERE group_id = ? AND job_id > ? ORDER BY job_id LIMIT ?
