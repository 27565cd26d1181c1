package dev.fairlane.objects;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What every object store does. */
abstract class StoreContract {
    /** More than two parts of an S3 upload. */
    private static final int LARGE_BYTES = 2 * S3Config.PART_BYTES + 12_345;

    abstract ObjectStore store();

    @Test
    void whatWasPutIsRead() {
        ObjectInfo info = put("a/b/c.bin", "hello", 5, false);

        assertThat(info.name()).isEqualTo("a/b/c.bin");
        assertThat(info.size()).isEqualTo(5);
        assertThat(read("a/b/c.bin")).isEqualTo("hello");
        assertThat(store().head("a/b/c.bin")).get().extracting(ObjectInfo::size).isEqualTo(5L);
    }

    @Test
    void anEmptyObjectIsAnObject() {
        put("empty", "", 0, false);
        put("empty-too", "", ObjectStore.UNKNOWN, false);

        assertThat(read("empty")).isEmpty();
        assertThat(store().head("empty-too")).get().extracting(ObjectInfo::size).isEqualTo(0L);
    }

    @Test
    void aNewPutReplacesTheOld() {
        put("twice", "one", 3, false);
        put("twice", "second", ObjectStore.UNKNOWN, false);

        assertThat(read("twice")).isEqualTo("second");
    }

    @Test
    void whoAsksForItDoesNotReplace() {
        put("once", "one", 3, true);

        assertThat(fault(() -> put("once", "two", 3, true)).kind()).isEqualTo(ObjectFault.Kind.ALREADY_THERE);
        assertThat(read("once")).isEqualTo("one");
    }

    @Test
    void ofManyAtOnceOneIsFirst() throws InterruptedException, ExecutionException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> puts = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                String text = "writer-" + i;
                puts.add(threads.submit(() -> {
                    try {
                        put("race", text, text.length(), true);
                        return true;
                    } catch (ObjectFault lost) {
                        return false;
                    }
                }));
            }
            int won = 0;
            for (Future<Boolean> put : puts) {
                won += put.get() ? 1 : 0;
            }
            assertThat(won).isEqualTo(1);
        }
    }

    @Test
    void aLargeObjectOfUnknownSizeComesBackWhole() throws IOException {
        byte[] bytes = new byte[LARGE_BYTES];
        new Random(7).nextBytes(bytes);

        store().put("large", new ByteArrayInputStream(bytes), ObjectStore.UNKNOWN, false);
        store().put("large-known", new ByteArrayInputStream(bytes), bytes.length, true);

        for (String name : List.of("large", "large-known")) {
            try (ObjectBody body = store().get(name, 0, ObjectStore.UNKNOWN)) {
                assertThat(body.length()).isEqualTo(LARGE_BYTES);
                assertThat(body.bytes().readAllBytes()).isEqualTo(bytes);
            }
        }
        try (ObjectBody part = store().get("large", S3Config.PART_BYTES - 3, 6)) {
            assertThat(part.bytes().readAllBytes())
                    .isEqualTo(java.util.Arrays.copyOfRange(bytes, S3Config.PART_BYTES - 3, S3Config.PART_BYTES + 3));
        }
    }

    @Test
    void partsAreReadByRange() {
        put("digits", "0123456789", 10, false);

        assertThat(read("digits", 3, 4)).isEqualTo("3456");
        assertThat(read("digits", 8, 100)).isEqualTo("89");
        assertThat(read("digits", 7, ObjectStore.UNKNOWN)).isEqualTo("789");
        assertThat(read("digits", 10, ObjectStore.UNKNOWN)).isEmpty();
        assertThat(read("digits", 2, 0)).isEmpty();
        assertThat(fault(() -> store().get("digits", 11, 1)).kind()).isEqualTo(ObjectFault.Kind.INVALID_RANGE);
        assertThat(fault(() -> store().get("digits", -1, 1)).kind()).isEqualTo(ObjectFault.Kind.INVALID_RANGE);
    }

    @Test
    void anotherSizeThanAnnouncedIsRefusedAndLeavesNothing() {
        put("sized", "before", 6, false);

        assertThat(fault(() -> put("sized", "longer than six", 6, false)).kind())
                .isEqualTo(ObjectFault.Kind.WRONG_SIZE);
        assertThat(fault(() -> put("sized", "abc", 6, false)).kind()).isEqualTo(ObjectFault.Kind.WRONG_SIZE);
        assertThat(read("sized")).isEqualTo("before");
    }

    @Test
    void aSourceThatBreaksOffLeavesNothing() {
        int breaksAt = S3Config.PART_BYTES + 100;
        InputStream broken = new InputStream() {
            private int given;

            @Override
            public int read() throws IOException {
                if (given++ >= breaksAt) {
                    throw new IOException("the other side hung up");
                }
                return 'x';
            }
        };

        assertThat(fault(() -> store().put("broken", broken, ObjectStore.UNKNOWN, false))
                        .kind())
                .isEqualTo(ObjectFault.Kind.BROKEN_SOURCE);
        assertThat(store().head("broken")).isEmpty();
        assertThat(store().list("broken", "", 10).objects()).isEmpty();
    }

    @Test
    void whatIsNotThereIsNotFound() {
        assertThat(store().head("nothing/here")).isEmpty();
        assertThat(fault(() -> store().get("nothing/here", 0, 1)).kind()).isEqualTo(ObjectFault.Kind.NOT_FOUND);
        store().delete("nothing/here");
    }

    @Test
    void whatWasDeletedIsGone() {
        put("gone/one", "1", 1, false);
        put("gone/two", "2", 1, false);
        store().delete("gone/one");

        assertThat(store().head("gone/one")).isEmpty();
        assertThat(read("gone/two")).isEqualTo("2");
        put("gone/one", "again", 5, true);
        assertThat(read("gone/one")).isEqualTo("again");
    }

    @Test
    void listsAreOrderedAndPaged() {
        IntStream.range(0, 25).forEach(i -> put("list/%02d/x-%d".formatted(i % 5, i), "x", 1, false));
        put("list-other", "x", 1, false);

        List<String> all = new ArrayList<>();
        String after = "";
        ObjectStore.Page page;
        do {
            page = store().list("list/", after, 7);
            page.objects().forEach(object -> all.add(object.name()));
            after = all.getLast();
        } while (page.more());

        assertThat(all).hasSize(25).isSorted().allMatch(name -> name.startsWith("list/"));
        assertThat(names("list/03/", "", 100)).hasSize(5);
        assertThat(names("list/03/x-1", "", 100)).containsExactly("list/03/x-13", "list/03/x-18");
        assertThat(names("list/99", "", 100)).isEmpty();
    }

    @Test
    void namesThatAreNoNamesAreRefused() {
        for (String name : List.of(
                "",
                "/",
                "/a",
                "a/",
                "a//b",
                ".",
                "..",
                "a/../b",
                ".hidden",
                "a b",
                "a\0b",
                "ä",
                "a=b",
                "a\\b",
                "x".repeat(129),
                "x/".repeat(400) + "x")) {
            assertThat(fault(() -> put(name, "x", 1, false)).kind()).as(name).isEqualTo(ObjectFault.Kind.INVALID_NAME);
            assertThat(fault(() -> store().head(name)).kind()).isEqualTo(ObjectFault.Kind.INVALID_NAME);
            assertThat(fault(() -> store().get(name, 0, 1)).kind()).isEqualTo(ObjectFault.Kind.INVALID_NAME);
            assertThat(fault(() -> store().delete(name)).kind()).isEqualTo(ObjectFault.Kind.INVALID_NAME);
        }
        assertThat(fault(() -> store().list("../", "", 1)).kind()).isEqualTo(ObjectFault.Kind.INVALID_NAME);
    }

    private List<String> names(String prefix, String after, int max) {
        return store().list(prefix, after, max).objects().stream()
                .map(ObjectInfo::name)
                .toList();
    }

    private ObjectInfo put(String name, String text, long size, boolean onlyIfAbsent) {
        return store().put(name, new ByteArrayInputStream(text.getBytes(UTF_8)), size, onlyIfAbsent);
    }

    private String read(String name) {
        return read(name, 0, ObjectStore.UNKNOWN);
    }

    private String read(String name, long from, long length) {
        try (ObjectBody body = store().get(name, from, length)) {
            byte[] bytes = body.bytes().readAllBytes();
            assertThat(body.length()).isEqualTo(bytes.length);
            return new String(bytes, UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static ObjectFault fault(ThrowingCallable call) {
        ObjectFault fault = catchThrowableOfType(ObjectFault.class, call);
        assertThat(fault).isNotNull();
        return fault;
    }
}
