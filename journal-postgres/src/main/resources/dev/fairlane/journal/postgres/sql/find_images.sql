SELECT o.number, o.id, o.status FROM unnest(?::uuid[]) AS k (id) JOIN fairlane.{table} o USING (id) WHERE o.status IS NOT NULL AND o.spec IS NULL
