package dev.fairlane.journal.postgres.embedded;

import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresException.Reason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The right of this JVM to a home folder; the kernel takes it back when the JVM dies, however it dies.
 *
 * <p>File locks belong to the process, not to the channel: closing <em>any</em> channel on the file would give up the lock.
 * So a second owner inside the same JVM is turned away by a set in memory, before it touches the file.
 */
final class FolderLock implements AutoCloseable {

    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

    private final Path key;
    private final FileChannel channel;

    private FolderLock(Path key, FileChannel channel) {
        this.key = key;
        this.channel = channel;
    }

    static FolderLock take(Path home) throws IOException {
        Path key = home.toRealPath();
        if (!HELD_HERE.add(key)) {
            throw inUse(home, "this process");
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(
                    key.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            if (channel.tryLock() == null) {
                throw inUse(home, "another process");
            }
            Folders.inheritOwner(key.resolve("lock"));
            return new FolderLock(key, channel);
        } catch (IOException | RuntimeException e) {
            if (channel != null) {
                channel.close();
            }
            HELD_HERE.remove(key);
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
        HELD_HERE.remove(key);
    }

    private static EmbeddedPostgresException inUse(Path home, String holder) {
        return new EmbeddedPostgresException(
                Reason.IN_USE,
                "The folder " + home + " is already used by a Fairlane server (" + holder
                        + "). Stop that server, or give this one a data folder of its own.");
    }
}
