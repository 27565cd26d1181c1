INSERT INTO fairlane.audit_chain (chain, anchor, anchor_hash, sequence, hash, at)
VALUES (?, 0, decode(repeat('00', 32), 'hex'), ?, ?, ?)
ON CONFLICT (chain) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash, at = excluded.at
