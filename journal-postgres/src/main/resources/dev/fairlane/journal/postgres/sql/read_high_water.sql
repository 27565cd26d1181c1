SELECT coalesce(max(high_water_at), 0) FROM fairlane.flush
