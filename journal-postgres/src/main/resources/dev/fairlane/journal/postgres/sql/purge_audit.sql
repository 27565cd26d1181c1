WITH old AS (
    SELECT chain, sequence FROM fairlane.audit WHERE at < ? ORDER BY at, chain, sequence LIMIT 10000
), gone AS (
    DELETE FROM fairlane.audit a USING old WHERE a.chain = old.chain AND a.sequence = old.sequence
    RETURNING a.chain, a.sequence, a.hash
)
UPDATE fairlane.audit_chain c SET anchor = last.sequence, anchor_hash = last.hash
FROM (SELECT DISTINCT ON (chain) chain, sequence, hash FROM gone ORDER BY chain, sequence DESC) last
WHERE c.chain = last.chain
