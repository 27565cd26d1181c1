SELECT number, name, weight, changed_at, rules FROM fairlane.tenant ORDER BY number
