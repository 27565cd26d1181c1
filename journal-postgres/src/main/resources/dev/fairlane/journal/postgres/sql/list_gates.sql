SELECT kind, tenant, name, asked_by, why, changed_at FROM fairlane.gate
