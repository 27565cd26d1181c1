DELETE FROM fairlane.schedule WHERE tenant = ? AND name = ?
