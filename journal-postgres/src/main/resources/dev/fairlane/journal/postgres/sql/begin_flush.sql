SELECT outcome, number, segment FROM fairlane.begin_flush(?, ?, ?)
