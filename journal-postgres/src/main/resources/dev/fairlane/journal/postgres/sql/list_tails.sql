SELECT l.epoch, l.genesis, f.up_to, f.hash
FROM fairlane.log l
LEFT JOIN LATERAL (SELECT up_to, hash FROM fairlane.flush WHERE log = l.epoch ORDER BY up_to DESC LIMIT 1) f ON true
WHERE l.projected_by IS NULL AND l.epoch < ?
ORDER BY l.epoch
