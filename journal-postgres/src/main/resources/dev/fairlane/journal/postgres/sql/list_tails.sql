SELECT l.epoch, l.genesis, f.up_to, f.kept_from, f.hash
FROM fairlane.log l
LEFT JOIN LATERAL (
    SELECT up_to, kept_from, hash FROM fairlane.flush WHERE log = l.epoch ORDER BY up_to DESC, kept_from DESC LIMIT 1) f ON true
WHERE l.projected_by IS NULL AND l.epoch < ?
ORDER BY l.epoch
