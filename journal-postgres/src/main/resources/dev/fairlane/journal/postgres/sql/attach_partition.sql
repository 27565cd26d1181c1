ALTER TABLE fairlane.{parent} ATTACH PARTITION fairlane.{table} FOR VALUES FROM ({from}) TO ({to})
