SELECT id, tenant, state, type, octet_length(payload) + octet_length(ending) AS size FROM fairlane.{table}
WHERE tenant = ? AND id >= ? AND id < ? ORDER BY id DESC LIMIT ?
