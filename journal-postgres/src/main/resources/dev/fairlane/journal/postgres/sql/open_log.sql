INSERT INTO fairlane.log (epoch, node, genesis) VALUES (?, ?, ?)
