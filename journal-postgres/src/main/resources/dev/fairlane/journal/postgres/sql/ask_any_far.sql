SELECT EXISTS (SELECT FROM fairlane.far_count WHERE jobs > 0)
