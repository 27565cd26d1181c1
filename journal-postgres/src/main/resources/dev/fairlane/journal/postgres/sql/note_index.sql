UPDATE fairlane.open_slot SET indexed = true WHERE slot = ?
