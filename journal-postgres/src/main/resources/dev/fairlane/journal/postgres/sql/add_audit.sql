INSERT INTO fairlane.audit (chain, sequence, at, key_id, key_name, role, request, trace, digest, action, target, summary, reason, before, after, hash, reason_digest)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
