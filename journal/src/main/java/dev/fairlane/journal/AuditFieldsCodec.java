package dev.fairlane.journal;

import static dev.fairlane.journal.FieldReader.BYTES;
import static dev.fairlane.journal.FieldReader.FIXED64;
import static dev.fairlane.journal.FieldReader.VARINT;

import dev.fairlane.core.model.AuditDeed;
import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.stored.AuditFields;
import dev.fairlane.journal.stored.Entry;
import java.io.IOException;

/** Entries of the audit as fields and back. */
final class AuditFieldsCodec {
    private AuditFieldsCodec() {}

    static void write(FieldWriter writer, AuditEntry entry) throws IOException {
        int field = Entry.AUDIT_FIELD_NUMBER;
        writer.open(field);
        writer.number(AuditFields.CHAIN_FIELD_NUMBER, entry.chain().number());
        writer.fixed(AuditFields.SEQUENCE_FIELD_NUMBER, entry.sequence());
        writer.time(AuditFields.AT_FIELD_NUMBER, entry.at());
        writer.text(AuditFields.KEY_ID_FIELD_NUMBER, entry.by().keyId());
        writer.text(AuditFields.KEY_NAME_FIELD_NUMBER, entry.by().keyName());
        writer.text(AuditFields.ROLE_FIELD_NUMBER, entry.by().role());
        writer.text(AuditFields.REQUEST_FIELD_NUMBER, entry.by().request());
        writer.text(AuditFields.TRACE_FIELD_NUMBER, entry.by().trace());
        writer.text(AuditFields.DIGEST_FIELD_NUMBER, entry.by().digest());
        writer.text(AuditFields.ACTION_FIELD_NUMBER, entry.deed().action());
        writer.text(AuditFields.TARGET_FIELD_NUMBER, entry.deed().target());
        writer.text(AuditFields.SUMMARY_FIELD_NUMBER, entry.deed().summary());
        writer.text(AuditFields.REASON_FIELD_NUMBER, entry.deed().reason());
        writer.text(AuditFields.BEFORE_FIELD_NUMBER, entry.deed().before());
        writer.text(AuditFields.AFTER_FIELD_NUMBER, entry.deed().after());
        writer.text(AuditFields.HASH_FIELD_NUMBER, entry.hash());
        writer.text(AuditFields.REASON_DIGEST_FIELD_NUMBER, entry.reasonDigest());
        writer.shut(field);
    }

    static AuditEntry read(FieldReader reader, int field) throws IOException {
        int chain = 0;
        long sequence = 0;
        long at = 0;
        String[] texts = new String[AuditFields.REASON_DIGEST_FIELD_NUMBER + 1];
        for (int tag = reader.next(field); tag != 0; tag = reader.next(field)) {
            int number = tag >>> 3;
            switch (tag) {
                case AuditFields.CHAIN_FIELD_NUMBER << 3 | VARINT -> chain = reader.in.readUInt32();
                case AuditFields.SEQUENCE_FIELD_NUMBER << 3 | FIXED64 -> sequence = reader.in.readFixed64();
                case AuditFields.AT_FIELD_NUMBER << 3 | VARINT -> at = reader.time();
                default -> {
                    boolean text = number >= AuditFields.KEY_ID_FIELD_NUMBER && number < texts.length;
                    if (!text || (tag & 7) != BYTES) {
                        throw FieldReader.unknown("audit entry", tag);
                    }
                    texts[number] = reader.text();
                }
            }
        }
        for (int i = 0; i < texts.length; i++) {
            texts[i] = texts[i] == null ? "" : texts[i];
        }
        return new AuditEntry(
                new TenantId(chain),
                sequence,
                at,
                new Author(
                        texts[AuditFields.KEY_ID_FIELD_NUMBER],
                        texts[AuditFields.KEY_NAME_FIELD_NUMBER],
                        texts[AuditFields.ROLE_FIELD_NUMBER],
                        texts[AuditFields.REQUEST_FIELD_NUMBER],
                        texts[AuditFields.TRACE_FIELD_NUMBER],
                        texts[AuditFields.DIGEST_FIELD_NUMBER]),
                new AuditDeed(
                        texts[AuditFields.ACTION_FIELD_NUMBER],
                        texts[AuditFields.TARGET_FIELD_NUMBER],
                        texts[AuditFields.SUMMARY_FIELD_NUMBER],
                        texts[AuditFields.REASON_FIELD_NUMBER],
                        texts[AuditFields.BEFORE_FIELD_NUMBER],
                        texts[AuditFields.AFTER_FIELD_NUMBER]),
                texts[AuditFields.REASON_DIGEST_FIELD_NUMBER],
                texts[AuditFields.HASH_FIELD_NUMBER]);
    }
}
