package dev.fairlane.core.model;

/**
 * What was changed, without anything that belongs to persons: names of settings and their values, never a payload.
 *
 * @param action what was done, e.g. {@code tenant.put}
 * @param target to what, e.g. {@code tenant/acme}
 * @param summary in words; may be empty
 * @param reason what the caller gave as one. Free text: the chain holds its digest only, so that it can be erased (made empty) later
 * @param before SHA-256 of the target before, in hexadecimal; empty where there was none, or none that is compared
 * @param after SHA-256 of the target after
 */
public record AuditDeed(String action, String target, String summary, String reason, String before, String after) {
    public AuditDeed(String action, String target, String summary, String reason) {
        this(action, target, summary, reason, "", "");
    }
}
