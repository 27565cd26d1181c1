SELECT epoch, genesis FROM fairlane.log ORDER BY epoch DESC LIMIT 1
