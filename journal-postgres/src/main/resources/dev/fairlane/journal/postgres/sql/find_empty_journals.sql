SELECT NOT EXISTS (SELECT FROM fairlane.journal_0), NOT EXISTS (SELECT FROM fairlane.journal_1),
       NOT EXISTS (SELECT FROM fairlane.journal_2), NOT EXISTS (SELECT FROM fairlane.journal_3)
