SELECT number, id, tenant, type, octet_length(payload) AS size FROM fairlane.{table}
WHERE spec IS NOT NULL AND tenant = ? AND id < ? ORDER BY id DESC, number DESC LIMIT ?
