INSERT INTO fairlane.usage_delta (rows) VALUES (?)
