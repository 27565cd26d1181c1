SELECT id, hash, name, tenant, role, created_at, revoked_at FROM fairlane.api_key ORDER BY created_at, id
