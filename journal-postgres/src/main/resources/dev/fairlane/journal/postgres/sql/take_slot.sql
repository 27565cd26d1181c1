INSERT INTO fairlane.open_slot (slot, segment) VALUES (?, nextval('fairlane.open_segment'))
ON CONFLICT (slot) DO UPDATE SET segment = excluded.segment, first_id = NULL, last_id = NULL
RETURNING segment
