SELECT chain, anchor, anchor_hash, sequence, hash, at FROM fairlane.audit_chain WHERE (? OR chain = ?) AND chain > ? ORDER BY chain LIMIT ?
