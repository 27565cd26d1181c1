DELETE FROM fairlane.job_group WHERE ctid = ANY (ARRAY(
    SELECT parent.ctid FROM fairlane.job_group parent
    WHERE parent.state = 2 AND parent.done_at < ?
        AND NOT EXISTS (SELECT FROM fairlane.job_group_member member WHERE member.group_id = parent.id)
    LIMIT 10000))
