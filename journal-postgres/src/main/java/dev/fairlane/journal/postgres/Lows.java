package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.JobId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Jobs by the low halves of their ids, which is how bundles name what they have. */
final class Lows {
    private final Map<Long, JobId> ids = new HashMap<>();

    Lows(Collection<JobId> ids) {
        ids.forEach(id -> this.ids.put(id.lo(), id));
    }

    /** Those of them that are among these low halves. */
    List<JobId> in(byte[] lows) {
        List<JobId> found = new ArrayList<>(0);
        ByteBuffer bytes = ByteBuffer.wrap(lows);
        while (bytes.hasRemaining()) {
            JobId id = ids.get(bytes.getLong());
            if (id != null) {
                found.add(id);
            }
        }
        return found;
    }
}
