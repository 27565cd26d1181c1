UPDATE fairlane.open_slot SET dirty = false, indexes = 0 WHERE slot = ?
