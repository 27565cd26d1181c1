SELECT slot, segment, dirty, indexes = 2, first_id, last_id FROM fairlane.open_slot ORDER BY segment, slot
