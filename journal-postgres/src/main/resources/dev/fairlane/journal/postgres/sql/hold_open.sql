SELECT fairlane.hold_open(?)
