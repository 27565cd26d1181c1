package dev.fairlane.journal.postgres;

/**
 * Who tells the operating system what works in stretches while others wait for single answers. On a machine with few processors a flush, which takes
 * milliseconds, stands in the way of a commit, which takes a fraction of one.
 */
public interface Background {
    /** Says nothing: all are alike. */
    Background NONE = new Background() {
        @Override
        public void here() {}

        @Override
        public void awaitedHere() {}

        @Override
        public void awaited(int backend) {}

        @Override
        public void givesWay(int backend, boolean way) {}
    };

    /** The calling thread works in stretches from now on. */
    void here();

    /** Somebody waits for everything the calling thread does, whoever it was started by. */
    void awaitedHere();

    /**
     * Somebody waits for every answer of this process of the database.
     *
     * @param backend its number on the database's machine, which need not be this one
     */
    void awaited(int backend);

    /**
     * Whether a process of the database has less right to a processor than others from now on, because nobody waits for what it does.
     *
     * @param backend its number on the database's machine, which need not be this one
     */
    void givesWay(int backend, boolean way);
}
