package dev.fairlane.e2e.check;

/** @param subject the job, key or call it is about */
public record Violation(Rule rule, String subject, String detail) {
    @Override
    public String toString() {
        return rule + " " + subject + ": " + detail;
    }
}
