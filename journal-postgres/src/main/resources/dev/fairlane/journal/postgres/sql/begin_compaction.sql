SELECT outcome, number FROM fairlane.begin_compaction(?, ?)
