SELECT EXISTS (SELECT FROM fairlane.journal WHERE log = ? AND seq = ? AND part = 0)
    OR EXISTS (SELECT FROM fairlane.flush WHERE log = ? AND up_to >= ?)
