INSERT INTO fairlane.log (epoch, node, genesis, format) VALUES (?, ?, ?, 4)
