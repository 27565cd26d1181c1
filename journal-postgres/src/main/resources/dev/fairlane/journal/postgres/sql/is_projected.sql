SELECT NOT EXISTS (
    SELECT FROM (SELECT log, max(seq) AS seq FROM fairlane.{table} GROUP BY log) j
    LEFT JOIN fairlane.log l ON l.epoch = j.log
    WHERE l.projected_by IS NULL
      AND j.seq >= coalesce(
          (SELECT kept_from FROM fairlane.flush f WHERE f.log = j.log ORDER BY up_to DESC, kept_from DESC LIMIT 1), 1))
