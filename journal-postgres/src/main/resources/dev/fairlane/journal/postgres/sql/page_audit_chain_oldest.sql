SELECT chain, sequence, at, key_id, key_name, role, request, trace, digest, action, target, summary, reason, before, after, hash, reason_digest
FROM fairlane.audit WHERE at >= ? AND at < ? AND chain = ? AND sequence > ? ORDER BY sequence LIMIT ?
