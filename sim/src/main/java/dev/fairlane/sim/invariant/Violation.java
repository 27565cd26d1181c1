package dev.fairlane.sim.invariant;

/** A promise that was broken, and how. */
public record Violation(String invariant, String what) {
    /** Its first line. */
    public String brief() {
        return toString().lines().findFirst().orElse(invariant);
    }

    @Override
    public String toString() {
        return invariant + ": " + what;
    }
}
