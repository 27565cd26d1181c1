SELECT below FROM fairlane.dropped WHERE parent = ?
