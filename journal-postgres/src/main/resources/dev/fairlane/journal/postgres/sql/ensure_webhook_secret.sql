INSERT INTO fairlane.webhook_secret (tenant, secret, made_at) VALUES (?, ?, ?)
ON CONFLICT (tenant) DO NOTHING
