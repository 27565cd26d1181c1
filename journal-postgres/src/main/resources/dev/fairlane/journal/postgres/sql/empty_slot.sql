DROP INDEX IF EXISTS fairlane.{table}_id, fairlane.{table}_tenant, fairlane.{table}_ends;
TRUNCATE fairlane.{table}
