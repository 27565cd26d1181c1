SELECT slot, segment, dirty, indexed, first_id, last_id FROM fairlane.open_slot ORDER BY segment, slot
