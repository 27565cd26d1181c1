SELECT epoch FROM fairlane.log WHERE closed_at IS NULL ORDER BY epoch
