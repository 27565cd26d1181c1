package dev.fairlane.sim.invariant;

/** A promise that was broken, and how. */
public record Violation(String invariant, String what) {
    @Override
    public String toString() {
        return invariant + ": " + what;
    }
}
