INSERT INTO fairlane.tenant (number, name, weight, changed_at, rules) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (number) DO UPDATE SET name = excluded.name, weight = excluded.weight, changed_at = excluded.changed_at,
    rules = excluded.rules
