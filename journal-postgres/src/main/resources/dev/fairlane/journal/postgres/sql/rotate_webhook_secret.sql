INSERT INTO fairlane.webhook_secret AS old (tenant, secret, made_at) VALUES (?, ?, ?)
ON CONFLICT (tenant) DO UPDATE SET secret = excluded.secret, made_at = excluded.made_at,
    secret_before = old.secret, made_before_at = old.made_at
