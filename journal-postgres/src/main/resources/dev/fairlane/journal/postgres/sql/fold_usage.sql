INSERT INTO fairlane.usage_hour AS u (tenant, hour, lane, type, pool, executions, slot_micros, succeeded, dead, cancelled, expired)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (tenant, hour, lane, type, pool) DO UPDATE SET executions = u.executions + excluded.executions,
    slot_micros = u.slot_micros + excluded.slot_micros, succeeded = u.succeeded + excluded.succeeded, dead = u.dead + excluded.dead,
    cancelled = u.cancelled + excluded.cancelled, expired = u.expired + excluded.expired
