UPDATE fairlane.job_group SET state = ?, total = ?, succeeded = ?, dead = ?, cancelled = ?, expired = ?, callback_job = ?,
    changed_at = ?, done_at = ?
WHERE id = ?
