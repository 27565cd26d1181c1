package dev.fairlane.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.protocol.v1.Heartbeat;
import dev.fairlane.protocol.v1.Hello;
import dev.fairlane.protocol.v1.PoolSlots;
import dev.fairlane.protocol.v1.ServerMessage;
import dev.fairlane.protocol.v1.WorkerMessage;
import dev.fairlane.protocol.v1.WorkersGrpc;
import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.runtime.Node;
import dev.fairlane.runtime.WorkerSession;
import dev.fairlane.server.IdleStream;
import dev.fairlane.server.TestServer;
import io.grpc.stub.StreamObserver;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker that says more than the node takes waits in the network, not in the node's memory. */
class FloodingWorkerTest {
    private static final int FLOOD = 1_000;
    /** Of one connection, before the loop. */
    private static final int BOUND = 64;

    /** Numbers of the heartbeats that the connection has handed to the node. */
    private final List<Long> heard = new CopyOnWriteArrayList<>();

    @Test
    void aFloodStaysOutsideWhileTheLoopTakesNothingAndComesInWhenItDoes(@TempDir Path home) throws Exception {
        CountDownLatch paused = new CountDownLatch(1);
        CountDownLatch resume = new CountDownLatch(1);
        try (TestServer server = TestServer.startBehind(home, this::listening)) {
            List<ServerMessage> seen = new CopyOnWriteArrayList<>();
            Ending<ServerMessage> out = new Ending<>(seen);
            StreamObserver<WorkerMessage> in =
                    server.stub(WorkersGrpc.WorkersStub.class).connect(out);
            in.onNext(hello());
            await().until(() -> !seen.isEmpty());

            pause(server.node(), paused, resume);
            paused.await();
            LongStream.rangeClosed(1, FLOOD).forEach(number -> in.onNext(heartbeat(number)));
            await().until(() -> heard.size() == BOUND);
            await().during(Duration.ofMillis(200)).until(() -> heard.size() == BOUND);

            resume.countDown();
            await().until(() -> heard.size() == FLOOD);
            assertThat(heard)
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, FLOOD).boxed().toList());
            await().until(() ->
                    seen.stream().anyMatch(message -> message.getHeartbeatAck().getNumber() == FLOOD));
            in.onCompleted();
            out.await();
        } finally {
            resume.countDown();
        }
    }

    /** Holds the loop where it answers a worker of its own, which must not block. */
    private static void pause(Node node, CountDownLatch paused, CountDownLatch resume) {
        WorkerOffer offer = new WorkerOffer("holds the loop", null, List.of("nothing"), Map.of("short", 1));
        node.connect(offer, List.of(), new IdleStream() {
            @Override
            public void welcome(long heartbeatMicros, List<LeaseRef> revoked) {
                paused.countDown();
                try {
                    resume.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
    }

    /** The node, with sessions that tell what they are told. */
    private Node listening(Node node) {
        return proxy(
                Node.class,
                node,
                (name, arguments, answer) -> answer instanceof WorkerSession session
                        ? proxy(WorkerSession.class, session, this::note)
                        : answer);
    }

    private Object note(String name, Object[] arguments, Object answer) {
        if (name.equals("heartbeat")) {
            heard.add((Long) arguments[arguments.length - 1]);
        }
        return answer;
    }

    /** What stands between. */
    private interface Between {
        Object answer(String name, Object[] arguments, Object answer);
    }

    private static <T> T proxy(Class<T> kind, T behind, Between between) {
        return kind.cast(Proxy.newProxyInstance(
                kind.getClassLoader(), new Class<?>[] {kind}, (_, method, arguments) -> {
                    try {
                        return between.answer(method.getName(), arguments, method.invoke(behind, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private static WorkerMessage hello() {
        return WorkerMessage.newBuilder()
                .setHello(Hello.newBuilder()
                        .setWorker("floods")
                        .addTypes("mail")
                        .addOffers(PoolSlots.newBuilder().setPool("short").setSlots(1)))
                .build();
    }

    private static WorkerMessage heartbeat(long number) {
        return WorkerMessage.newBuilder()
                .setHeartbeat(Heartbeat.newBuilder().setNumber(number))
                .build();
    }
}
