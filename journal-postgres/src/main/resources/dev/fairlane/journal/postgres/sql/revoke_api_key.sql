UPDATE fairlane.api_key SET revoked_at = ? WHERE id = ?
