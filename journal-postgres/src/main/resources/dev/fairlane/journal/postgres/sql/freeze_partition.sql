VACUUM (FREEZE, PARALLEL 0) fairlane.{table}
