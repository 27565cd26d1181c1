SELECT number, name, weight, changed_at FROM fairlane.tenant ORDER BY number
