DROP INDEX IF EXISTS fairlane.{table}_id, fairlane.{table}_tenant, fairlane.{table}_bundle, fairlane.{table}_last, fairlane.{table}_ends;
TRUNCATE fairlane.{table}
