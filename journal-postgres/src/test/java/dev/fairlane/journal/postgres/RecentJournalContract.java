package dev.fairlane.journal.postgres;

/** The same when what was stored lately is found without asking the database. */
class RecentJournalContract extends BundledJournalContract {
    @Override
    long recentBytes() {
        return 1L << 20;
    }
}
