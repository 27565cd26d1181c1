SELECT fairlane.write_ends(?, ?, ?)
