SELECT o.number, o.id FROM unnest(?::uuid[]) AS k (id) JOIN fairlane.{table} o USING (id) WHERE o.spec IS NOT NULL
