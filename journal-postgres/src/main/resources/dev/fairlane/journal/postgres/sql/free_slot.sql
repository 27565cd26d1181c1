UPDATE fairlane.open_slot SET dirty = false, indexed = false WHERE slot = ?
