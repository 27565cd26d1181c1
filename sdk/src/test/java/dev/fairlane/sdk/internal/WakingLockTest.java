package dev.fairlane.sdk.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class WakingLockTest {
    private final WakingLock lock = new WakingLock();
    private final CompletableFuture<String> woken = new CompletableFuture<>();
    private volatile boolean freed;

    @Test
    void whoeverIsToldFindsItFree() throws Exception {
        Thread waiter = Thread.ofPlatform().start(() -> {
            LockSupport.park(this);
            woken.complete(freed ? "when it was free" : "while it was held");
        });
        lock.lock();
        lock.wake(waiter);
        lock.wake(waiter);
        freed = true;
        lock.unlock();
        assertThat(woken.get(20, TimeUnit.SECONDS)).isEqualTo("when it was free");
    }
}
