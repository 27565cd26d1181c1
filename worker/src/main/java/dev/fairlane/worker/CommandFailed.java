package dev.fairlane.worker;

/** A command that did not exit with 0 and may be tried again. */
final class CommandFailed extends RuntimeException implements ToldByCommand {
    private static final long serialVersionUID = 1L;

    private final Ending ending;

    CommandFailed(Ending ending) {
        super(ending.message(), null, false, false);
        this.ending = ending;
    }

    @Override
    public Ending ending() {
        return ending;
    }
}
