SELECT number, id, spec IS NOT NULL, CASE WHEN spec IS NULL THEN status END, ends FROM fairlane.{table}
