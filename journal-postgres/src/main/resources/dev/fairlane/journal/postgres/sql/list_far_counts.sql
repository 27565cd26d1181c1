SELECT tenant, jobs FROM fairlane.far_count WHERE jobs > 0
