SELECT coalesce((SELECT ring FROM fairlane.flush ORDER BY number DESC LIMIT 1), 0)
