DELETE FROM fairlane.gate WHERE kind = ? AND tenant = ? AND name = ?
