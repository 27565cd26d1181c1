package dev.fairlane.journal;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.Usage;
import dev.fairlane.core.model.UsageAccount;
import dev.fairlane.core.model.UsageRow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The use that one flush adds, as bytes: a level, the number of rows, then each row as numbers. A name is the number of a name that was
 * there before, or the next number and the name: with few types and lanes a row takes about 12 bytes.
 */
public final class UsageCodec {
    private static final int LEVEL = 1;

    private UsageCodec() {}

    public static byte[] encode(List<UsageRow> rows) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(16 + rows.size() * 16);
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        Map<String, Integer> names = new HashMap<>();
        try {
            out.writeUInt32NoTag(LEVEL);
            out.writeUInt32NoTag(rows.size());
            for (UsageRow row : rows) {
                out.writeUInt64NoTag(row.fromAt() / UsageRow.HOUR_MICROS);
                out.writeUInt32NoTag(row.account().tenant().number());
                name(out, names, row.account().pool());
                name(out, names, row.account().lane());
                name(out, names, row.account().type());
                Usage used = row.used();
                out.writeUInt64NoTag(used.executions());
                out.writeUInt64NoTag(used.slotMicros());
                out.writeUInt64NoTag(used.succeeded());
                out.writeUInt64NoTag(used.dead());
                out.writeUInt64NoTag(used.cancelled());
                out.writeUInt64NoTag(used.expired());
            }
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void name(CodedOutputStream out, Map<String, Integer> names, String name) throws IOException {
        Integer known = names.putIfAbsent(name, names.size());
        if (known != null) {
            out.writeUInt32NoTag(known);
        } else {
            out.writeUInt32NoTag(names.size() - 1);
            out.writeStringNoTag(name);
        }
    }

    /** @throws JournalFault.Corrupt if these are not the bytes of an encoding */
    public static List<UsageRow> decode(byte[] bytes) {
        CodedInputStream in = CodedInputStream.newInstance(bytes);
        List<String> names = new ArrayList<>();
        List<UsageRow> rows = new ArrayList<>();
        try {
            int level = in.readUInt32();
            if (level != LEVEL) {
                throw new JournalFault.Corrupt("expected use of level " + LEVEL + ", but got " + level, null);
            }
            int count = in.readUInt32();
            for (int i = 0; i < count; i++) {
                long hourAt = in.readUInt64() * UsageRow.HOUR_MICROS;
                TenantId tenant = new TenantId(in.readUInt32());
                UsageAccount account = new UsageAccount(tenant, name(in, names), name(in, names), name(in, names));
                rows.add(new UsageRow(
                        hourAt,
                        account,
                        new Usage(
                                in.readUInt64(),
                                in.readUInt64(),
                                in.readUInt64(),
                                in.readUInt64(),
                                in.readUInt64(),
                                in.readUInt64())));
            }
        } catch (IOException e) {
            throw new JournalFault.Corrupt("stored use cannot be read: " + e.getMessage(), e);
        }
        return rows;
    }

    private static String name(CodedInputStream in, List<String> names) throws IOException {
        int number = in.readUInt32();
        if (number == names.size()) {
            names.add(in.readString());
        }
        if (number >= names.size()) {
            throw new IOException("there is no name " + number);
        }
        return names.get(number);
    }
}
