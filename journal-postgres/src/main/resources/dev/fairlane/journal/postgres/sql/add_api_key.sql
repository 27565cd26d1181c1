INSERT INTO fairlane.api_key (id, hash, name, tenant, role, created_at, revoked_at) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO NOTHING
