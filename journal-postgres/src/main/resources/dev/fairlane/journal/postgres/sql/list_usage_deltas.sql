SELECT number, rows FROM fairlane.usage_delta ORDER BY number LIMIT ?
