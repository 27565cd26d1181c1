COPY fairlane.job_group_member (group_id, job_id) FROM STDIN (FORMAT binary)
