package dev.fairlane.journal.postgres;

/** The same when every job is stored in a bundle. */
class BundledJournalContract extends PostgresJournalContract {
    @Override
    int bundleFrom() {
        return 1;
    }
}
