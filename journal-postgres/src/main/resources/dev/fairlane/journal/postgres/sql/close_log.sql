UPDATE fairlane.log SET closed_at = clock_timestamp() WHERE epoch = ? AND closed_at IS NULL
