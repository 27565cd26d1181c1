package dev.fairlane.e2e.check;

import dev.fairlane.e2e.history.History;
import java.util.function.Consumer;

/** Something that holds for every history of a server that keeps its promises. */
interface Invariant {
    void check(History history, Consumer<Violation> found);
}
