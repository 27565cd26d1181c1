INSERT INTO fairlane.{table} (number, id, tenant, last, ids, bundle)
SELECT ?, id, tenant, last, ids, bundle FROM fairlane.{from} WHERE ctid = ANY (?::tid[])
