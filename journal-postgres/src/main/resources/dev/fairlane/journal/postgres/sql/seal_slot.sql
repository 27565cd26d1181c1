UPDATE fairlane.open_slot SET first_id = ?, last_id = ? WHERE segment = ?
