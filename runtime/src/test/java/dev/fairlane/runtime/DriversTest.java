package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DriversTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final long NEVER = Long.MAX_VALUE;

    private final ExecutorService appending =
            Executors.newSingleThreadExecutor(Thread.ofPlatform().name("append").factory());
    private final Drivers drivers = new Drivers(appending);
    private final Loop loop = new Loop(drivers.encoder());
    private final Thread own = Thread.ofPlatform().name("loop").unstarted(() -> drivers.drive(loop));

    @AfterEach
    void end() throws InterruptedException {
        loop.over = true;
        loop.say(() -> {});
        assertThat(own.join(LONG)).isTrue();
        appending.shutdown();
        assertThat(appending.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }

    /** What it is told it does in turns; it appends what it is told to, and counts who was in a turn with whom. */
    private final class Loop implements Drivers.Turns {
        final ConcurrentLinkedQueue<Runnable> said = new ConcurrentLinkedQueue<>();
        final Set<String> drivenBy = ConcurrentHashMap.newKeySet();
        final AtomicInteger inTurn = new AtomicInteger();
        final AtomicInteger clashes = new AtomicInteger();
        final Executor encoder;
        volatile boolean over;
        volatile Throwable broken;
        volatile long due = NEVER;
        // plain on purpose: drivers have to see what each other did
        int done;

        Loop(Executor encoder) {
            this.encoder = encoder;
        }

        void say(Runnable what) {
            said.add(what);
            drivers.run();
        }

        @Override
        public boolean turn() {
            clashes.addAndGet(inTurn.getAndIncrement());
            drivenBy.add(Thread.currentThread().getName());
            for (Runnable what = said.poll(); what != null; what = said.poll()) {
                what.run();
                done++;
            }
            inTurn.decrementAndGet();
            return false;
        }

        @Override
        public long nextTurnAt() {
            return due;
        }

        @Override
        public long now() {
            return System.nanoTime() / 1_000;
        }

        @Override
        public boolean over() {
            return over;
        }

        @Override
        public void broke(Throwable fault) {
            broken = fault;
            over = true;
        }
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    }

    private static void join(CountDownLatch latch) {
        try {
            await(latch);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Both threads have seen the loop, and nothing is left to do. */
    private void settle() throws InterruptedException {
        own.start();
        CountDownLatch driven = new CountDownLatch(1);
        loop.say(driven::countDown);
        await(driven);
        while (own.getState() != Thread.State.WAITING && own.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        CountDownLatch free = new CountDownLatch(1);
        appending.execute(free::countDown);
        await(free);
        loop.drivenBy.clear();
    }

    @Test
    void whatComesWhileNothingIsAppendedIsDoneByTheOneWhoAppends() throws InterruptedException {
        settle();
        CountDownLatch done = new CountDownLatch(1);
        loop.say(done::countDown);
        await(done);
        assertThat(loop.drivenBy).containsExactly("append");
    }

    @Test
    void whatComesWhileABatchIsAppendedDoesNotWaitForIt() throws InterruptedException {
        settle();
        CountDownLatch appends = new CountDownLatch(1);
        CountDownLatch appended = new CountDownLatch(1);
        loop.say(() -> loop.encoder.execute(() -> {
            appends.countDown();
            join(appended);
        }));
        await(appends);
        CountDownLatch done = new CountDownLatch(1);
        loop.say(done::countDown);
        await(done);
        appended.countDown();
        assertThat(loop.drivenBy).contains("loop");
    }

    @Test
    void whatAnAppendTellsIsDoneWhereItWasMade() throws InterruptedException {
        settle();
        List<String> told = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        loop.say(() -> loop.encoder.execute(() -> loop.say(() -> {
            told.add(Thread.currentThread().getName());
            done.countDown();
        })));
        await(done);
        assertThat(told).containsExactly("append");
    }

    @Test
    void aTimeThatComesIsNotMissedWhoeverSetIt() throws InterruptedException {
        settle();
        CountDownLatch set = new CountDownLatch(1);
        loop.say(() -> {
            loop.due = loop.now() + 2_000;
            set.countDown();
        });
        await(set);
        while (!loop.drivenBy.contains("loop")) {
            Thread.onSpinWait();
        }
        loop.due = NEVER;
    }

    @Test
    void aTurnThatFailsEndsItForBoth() throws InterruptedException {
        settle();
        loop.say(() -> {
            throw new IllegalStateException("broken on purpose");
        });
        assertThat(own.join(LONG)).isTrue();
        assertThat(loop.broken).hasMessage("broken on purpose");
    }

    @Test
    void nothingThatIsSaidIsForgottenAndNoTwoDriveAtOnce() throws InterruptedException {
        settle();
        int writers = 4;
        int each = 20_000;
        CountDownLatch all = new CountDownLatch(writers * each);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int n = 0; n < each; n++) {
                    CountDownLatch mine = new CountDownLatch(n % 16 == 0 ? 1 : 0);
                    // some of it is appended and tells of it, as commits do
                    Runnable what =
                            n % 3 == 0 ? () -> loop.encoder.execute(() -> loop.say(mine::countDown)) : mine::countDown;
                    loop.say(() -> {
                        what.run();
                        all.countDown();
                    });
                    join(mine);
                }
            }));
        }
        for (Thread thread : threads) {
            assertThat(thread.join(LONG)).isTrue();
        }
        await(all);
        CountDownLatch last = new CountDownLatch(1);
        loop.say(last::countDown);
        await(last);
        assertThat(loop.clashes).hasValue(0);
        assertThat(loop.drivenBy).containsExactlyInAnyOrder("append", "loop");
    }
}
