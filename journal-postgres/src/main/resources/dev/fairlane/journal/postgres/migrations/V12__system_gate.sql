-- Ordinal 4: the whole system, for maintenance.
ALTER TABLE fairlane.gate
    DROP CONSTRAINT gate_kind_check,
    ADD CONSTRAINT gate_kind_check CHECK (kind BETWEEN 0 AND 4);
