SELECT d.id FROM unnest(?::int[], ?::uuid[]) AS k (tenant, id) JOIN fairlane.{table} d USING (tenant, id)
