SELECT hash FROM fairlane.journal WHERE log = ? AND seq = ? AND part = 0
