INSERT INTO fairlane.schedule (tenant, name, definition, ticks, changed_at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (tenant, name) DO UPDATE SET definition = excluded.definition, ticks = excluded.ticks, changed_at = excluded.changed_at
