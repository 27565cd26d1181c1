package dev.fairlane.journal;

import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.AuditHead;
import java.util.List;
import java.util.Optional;

/** Whether stored entries are the chain they say they are. */
public final class AuditCheck {
    private AuditCheck() {}

    /**
     * The first place where a chain is broken, in words; empty for a good one.
     *
     * @param name of the chain's tenant, empty for the system
     * @param entries all that are kept, in the order of their sequence
     */
    public static Optional<String> firstBreak(AuditHead head, String name, List<AuditEntry> entries) {
        String previous = head.anchorHash();
        long sequence = head.anchor();
        for (AuditEntry entry : entries) {
            if (entry.sequence() != sequence + 1) {
                return Optional.of("entry " + (sequence + 1) + " is missing; the next one is " + entry.sequence());
            }
            if (!AuditHash.of(previous, name, entry).equals(entry.hash()) || !isReasonGiven(entry)) {
                return Optional.of("entry " + entry.sequence() + " is not what was written, or not in its place");
            }
            previous = entry.hash();
            sequence = entry.sequence();
        }
        if (sequence != head.sequence()) {
            return Optional.of("entry " + (sequence + 1) + " is missing; the chain ends with " + head.sequence());
        }
        return previous.equals(head.hash())
                ? Optional.empty()
                : Optional.of("entry " + sequence + " is not the one the chain ends with");
    }

    /** An erased reason is none to compare. */
    private static boolean isReasonGiven(AuditEntry entry) {
        String reason = entry.deed().reason();
        return reason.isEmpty() || AuditHash.ofReason(reason).equals(entry.reasonDigest());
    }
}
