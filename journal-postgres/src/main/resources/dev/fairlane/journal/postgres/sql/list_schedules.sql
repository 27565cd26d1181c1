SELECT tenant, name, definition, ticks FROM fairlane.schedule
