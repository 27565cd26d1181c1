SELECT secret, made_at, secret_before, made_before_at FROM fairlane.webhook_secret WHERE tenant = ?
