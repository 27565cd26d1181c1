SELECT EXISTS (SELECT FROM fairlane.log WHERE epoch = ? AND closed_at IS NULL)
