DELETE FROM fairlane.usage_hour WHERE ctid = ANY (ARRAY(SELECT ctid FROM fairlane.usage_hour WHERE hour < ? LIMIT 10000))
