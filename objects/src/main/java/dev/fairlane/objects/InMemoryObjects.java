package dev.fairlane.objects;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** Objects in memory, gone with the process: for tests, ours and users'. */
public final class InMemoryObjects implements ObjectStore {
    private static final int BUFFER_BYTES = 1 << 13;

    private final ConcurrentSkipListMap<String, Stored> objects = new ConcurrentSkipListMap<>();
    private final InstantSource clock;

    private record Stored(byte[] bytes, Instant changedAt) {
        ObjectInfo info(String name) {
            return new ObjectInfo(name, bytes.length, changedAt);
        }
    }

    public InMemoryObjects(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public ObjectInfo put(String name, InputStream bytes, long size, boolean onlyIfAbsent) {
        ObjectName.check(name);
        byte[] buffer = new byte[BUFFER_BYTES];
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (int n = LocalDisk.read(bytes, buffer, name); n >= 0; n = LocalDisk.read(bytes, buffer, name)) {
            whole.write(buffer, 0, n);
        }
        if (size != UNKNOWN && whole.size() != size) {
            throw ObjectFault.wrongSize(name, size, whole.size());
        }
        Stored stored = new Stored(whole.toByteArray(), clock.instant());
        if (!onlyIfAbsent) {
            objects.put(name, stored);
        } else if (objects.putIfAbsent(name, stored) != null) {
            throw ObjectFault.alreadyThere(name);
        }
        return stored.info(name);
    }

    @Override
    public ObjectBody get(String name, long from, long length) {
        Stored stored = objects.get(ObjectName.check(name));
        if (stored == null) {
            throw ObjectFault.notFound(name);
        }
        long size = stored.bytes.length;
        if (from < 0 || from > size) {
            throw ObjectFault.invalidRange(name, from, size);
        }
        long part = length == UNKNOWN ? size - from : Math.min(length, size - from);
        return new ObjectBody(
                stored.info(name), from, part, new ByteArrayInputStream(stored.bytes, (int) from, (int) part));
    }

    @Override
    public Optional<ObjectInfo> head(String name) {
        Stored stored = objects.get(ObjectName.check(name));
        return stored == null ? Optional.empty() : Optional.of(stored.info(name));
    }

    @Override
    public Page list(String prefix, String after, int max) {
        ObjectName.checkPrefix(prefix);
        ObjectName.checkMax(max);
        List<ObjectInfo> found = new ArrayList<>();
        String first = after.compareTo(prefix) > 0 ? after : prefix;
        for (var entry :
                objects.tailMap(first, !first.equals(after) || after.isEmpty()).entrySet()) {
            if (!entry.getKey().startsWith(prefix)) {
                break;
            }
            if (found.size() == max) {
                return new Page(List.copyOf(found), true);
            }
            found.add(entry.getValue().info(entry.getKey()));
        }
        return new Page(List.copyOf(found), false);
    }

    @Override
    public void delete(String name) {
        objects.remove(ObjectName.check(name));
    }

    @Override
    public void close() {}
}
