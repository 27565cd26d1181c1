UPDATE fairlane.schedule SET ticks = ?, changed_at = ? WHERE tenant = ? AND name = ?
