DELETE FROM fairlane.usage_delta WHERE number <= ?
