INSERT INTO fairlane.dropped (parent, below) VALUES (?, ?)
ON CONFLICT (parent) DO UPDATE SET below = greatest(dropped.below, excluded.below)
