INSERT INTO fairlane.resolution (log, seq) VALUES (?, ?)
