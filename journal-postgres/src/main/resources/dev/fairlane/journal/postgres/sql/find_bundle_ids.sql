SELECT b.number, b.ids, b.ctid::text FROM unnest(?::uuid[], ?::uuid[]) AS k (first, last)
JOIN fairlane.{table} b ON b.last >= k.first AND b.id <= k.last
WHERE b.bundle IS NOT NULL
