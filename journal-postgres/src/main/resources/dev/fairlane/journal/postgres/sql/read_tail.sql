SELECT seq, hash, bytes FROM fairlane.journal WHERE log = ? AND seq >= ? ORDER BY seq, part
