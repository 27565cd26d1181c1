UPDATE fairlane.open_slot SET segment = NULL, dirty = true WHERE segment = ?
