UPDATE fairlane.audit SET reason = '' WHERE chain = ? AND sequence = ? AND reason <> ''
