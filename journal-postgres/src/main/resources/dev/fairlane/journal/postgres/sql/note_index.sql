UPDATE fairlane.open_slot SET indexes = 2 WHERE slot = ?
