INSERT INTO fairlane.gate (kind, tenant, name, asked_by, why, changed_at) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (kind, tenant, name) DO UPDATE SET asked_by = excluded.asked_by, why = excluded.why, changed_at = excluded.changed_at
