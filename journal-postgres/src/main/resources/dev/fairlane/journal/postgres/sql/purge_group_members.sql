DELETE FROM fairlane.job_group_member WHERE ctid = ANY (ARRAY(
    SELECT member.ctid FROM fairlane.job_group_member member JOIN fairlane.job_group parent ON parent.id = member.group_id
    WHERE parent.state = 2 AND parent.done_at < ? LIMIT 10000))
