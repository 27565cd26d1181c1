package dev.fairlane.objects;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Objects as files. One is written to a file of its own in {@code .incoming}, forced to disk, and moved to its place in one step; the
 * folder is forced too, so that it is there after a power cut. A file carries {@code =} before its last segment, so that
 * {@code a} and {@code a/b} may both be objects.
 */
public final class LocalDisk implements ObjectStore {
    private static final String INCOMING = ".incoming";
    private static final char LEAF = '=';
    private static final int BUFFER_BYTES = 1 << 16;
    private static final Duration INCOMING_KEPT = Duration.ofDays(1);
    /** Whoever deletes the last object of a folder removes the folder, perhaps just when another is to come into it. */
    private static final int TRIES = 20;

    private final Path root;
    private final Path incoming;

    private LocalDisk(Path root) {
        this.root = root;
        this.incoming = root.resolve(INCOMING);
    }

    /** @throws ObjectFault if the folder cannot be made */
    public static LocalDisk open(Path root) {
        LocalDisk disk = new LocalDisk(root.toAbsolutePath().normalize());
        try {
            Files.createDirectories(disk.incoming);
            disk.forgetAbandoned();
        } catch (IOException e) {
            throw ObjectFault.unavailable("cannot use the folder " + root, e);
        }
        return disk;
    }

    /** What a process that died was writing. */
    private void forgetAbandoned() throws IOException {
        Instant before = Instant.now().minus(INCOMING_KEPT);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(incoming)) {
            for (Path file : files) {
                if (Files.getLastModifiedTime(file).toInstant().isBefore(before)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    @Override
    public ObjectInfo put(String name, InputStream bytes, long size, boolean onlyIfAbsent) {
        Path target = file(ObjectName.check(name));
        if (onlyIfAbsent && Files.exists(target)) {
            throw ObjectFault.alreadyThere(name);
        }
        Path coming = incoming.resolve(UUID.randomUUID().toString());
        try {
            long written = write(coming, bytes, size, name);
            place(coming, target, onlyIfAbsent);
            return new ObjectInfo(
                    name, written, Files.getLastModifiedTime(target).toInstant());
        } catch (FileAlreadyExistsException e) {
            throw ObjectFault.alreadyThere(name);
        } catch (IOException e) {
            throw ObjectFault.unavailable("cannot write " + name, e);
        } finally {
            forget(coming);
        }
    }

    private static long write(Path coming, InputStream bytes, long size, String name) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        long written = 0;
        try (FileChannel file = FileChannel.open(coming, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int n = read(bytes, buffer, name); n >= 0; n = read(bytes, buffer, name)) {
                written += n;
                if (size != UNKNOWN && written > size) {
                    throw ObjectFault.wrongSize(name, size, written);
                }
                ByteBuffer part = ByteBuffer.wrap(buffer, 0, n);
                while (part.hasRemaining()) {
                    file.write(part);
                }
            }
            if (size != UNKNOWN && written != size) {
                throw ObjectFault.wrongSize(name, size, written);
            }
            file.force(true);
        }
        return written;
    }

    static int read(InputStream bytes, byte[] buffer, String name) {
        try {
            return bytes.read(buffer);
        } catch (IOException e) {
            throw new ObjectFault(
                    ObjectFault.Kind.BROKEN_SOURCE, "the bytes of " + name + " broke off: " + e.getMessage(), e);
        }
    }

    private void place(Path coming, Path target, boolean onlyIfAbsent) throws IOException {
        for (int i = 1; ; i++) {
            try {
                Path folder = folderOf(target);
                Files.createDirectories(folder);
                if (onlyIfAbsent) {
                    Files.createLink(target, coming);
                } else {
                    Files.move(coming, target, StandardCopyOption.ATOMIC_MOVE);
                }
                force(folder);
                return;
            } catch (NoSuchFileException e) {
                if (i == TRIES) {
                    throw e;
                }
            }
        }
    }

    private static Path folderOf(Path file) {
        Path folder = file.getParent();
        if (folder == null) {
            throw new IllegalStateException("expected a file in a folder, but got " + file);
        }
        return folder;
    }

    private static void force(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** What cannot be removed now is removed by a later start. */
    private static void forget(Path coming) {
        try {
            Files.deleteIfExists(coming);
        } catch (IOException e) {
            coming.toFile().deleteOnExit();
        }
    }

    @Override
    public ObjectBody get(String name, long from, long length) {
        Path file = file(ObjectName.check(name));
        FileChannel channel = null;
        try {
            channel = FileChannel.open(file, StandardOpenOption.READ);
            long size = channel.size();
            if (from < 0 || from > size) {
                throw ObjectFault.invalidRange(name, from, size);
            }
            long part = length == UNKNOWN ? size - from : Math.min(length, size - from);
            ObjectInfo info =
                    new ObjectInfo(name, size, Files.getLastModifiedTime(file).toInstant());
            ObjectBody body = new ObjectBody(info, from, part, new FilePart(channel, from, part));
            channel = null;
            return body;
        } catch (NoSuchFileException e) {
            throw ObjectFault.notFound(name);
        } catch (IOException e) {
            throw ObjectFault.unavailable("cannot read " + name, e);
        } finally {
            if (channel != null) {
                close(channel);
            }
        }
    }

    private static void close(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw ObjectFault.unavailable("cannot close a file", e);
        }
    }

    @Override
    public Optional<ObjectInfo> head(String name) {
        Path file = file(ObjectName.check(name));
        try {
            return Optional.of(info(name, Files.readAttributes(file, BasicFileAttributes.class)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw ObjectFault.unavailable("cannot look at " + name, e);
        }
    }

    private static ObjectInfo info(String name, BasicFileAttributes attributes) {
        return new ObjectInfo(
                name, attributes.size(), attributes.lastModifiedTime().toInstant());
    }

    @Override
    public Page list(String prefix, String after, int max) {
        ObjectName.checkPrefix(prefix);
        ObjectName.checkMax(max);
        TreeMap<String, ObjectInfo> found = new TreeMap<>();
        int slash = prefix.lastIndexOf('/');
        String base = slash < 0 ? "" : prefix.substring(0, slash);
        try {
            gather(base.isEmpty() ? root : root.resolve(base), base, prefix, after, max + 1, found);
        } catch (IOException e) {
            throw ObjectFault.unavailable("cannot list " + prefix, e);
        }
        List<ObjectInfo> objects = new ArrayList<>(found.values());
        boolean more = objects.size() > max;
        return new Page(List.copyOf(more ? objects.subList(0, max) : objects), more);
    }

    /** Keeps the first {@code keep} names of what is below the folder. */
    private static void gather(
            Path folder, String base, String prefix, String after, int keep, TreeMap<String, ObjectInfo> found)
            throws IOException {
        try (DirectoryStream<Path> children = Files.newDirectoryStream(folder)) {
            for (Path child : children) {
                String segment = String.valueOf(child.getFileName());
                boolean leaf = segment.charAt(0) == LEAF;
                if (segment.charAt(0) == '.') {
                    continue;
                }
                String name = (base.isEmpty() ? "" : base + "/") + (leaf ? segment.substring(1) : segment);
                if (leaf) {
                    if (name.startsWith(prefix) && name.compareTo(after) > 0) {
                        keep(child, name, keep, found);
                    }
                } else if (mayHold(name + "/", prefix, after)) {
                    gather(child, name, prefix, after, keep, found);
                }
            }
        } catch (NoSuchFileException e) {
            return; // nothing was ever put here, or it has just gone
        }
    }

    private static boolean mayHold(String folder, String prefix, String after) {
        boolean inside = folder.startsWith(prefix) || prefix.startsWith(folder);
        return inside && (after.startsWith(folder) || folder.compareTo(after) > 0);
    }

    private static void keep(Path file, String name, int keep, TreeMap<String, ObjectInfo> found) throws IOException {
        if (found.size() == keep) {
            if (name.compareTo(found.lastKey()) > 0) {
                return;
            }
            found.pollLastEntry();
        }
        try {
            found.put(
                    name, info(name, Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)));
        } catch (NoSuchFileException gone) {
            return; // deleted while we looked
        }
    }

    @Override
    public void delete(String name) {
        Path file = file(ObjectName.check(name));
        try {
            if (Files.deleteIfExists(file)) {
                removeEmpty(folderOf(file));
            }
        } catch (IOException e) {
            throw ObjectFault.unavailable("cannot delete " + name, e);
        }
    }

    private void removeEmpty(Path folder) throws IOException {
        Path empty = folder;
        while (!empty.equals(root)) {
            try {
                Files.deleteIfExists(empty);
            } catch (DirectoryNotEmptyException e) {
                return;
            }
            empty = folderOf(empty);
        }
    }

    private Path file(String name) {
        int slash = name.lastIndexOf('/');
        return root.resolve(name.substring(0, slash + 1) + LEAF + name.substring(slash + 1));
    }

    @Override
    public void close() {}

    /** Reads a part by position: closing the file is all that is left to do. */
    private static final class FilePart extends InputStream {
        private final FileChannel channel;
        private long at;
        private long left;

        FilePart(FileChannel channel, long at, long left) {
            this.channel = channel;
            this.at = at;
            this.left = left;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (left == 0) {
                return -1;
            }
            int n = channel.read(ByteBuffer.wrap(into, offset, (int) Math.min(length, left)), at);
            if (n > 0) {
                at += n;
                left -= n;
            }
            return n;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
