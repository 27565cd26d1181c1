package dev.fairlane.sdk;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.fairlane.protocol.v1.AwaitJobRequest;
import dev.fairlane.protocol.v1.CancelJobRequest;
import dev.fairlane.protocol.v1.CancelJobResponse;
import dev.fairlane.protocol.v1.GetJobRequest;
import dev.fairlane.protocol.v1.JobState;
import dev.fairlane.protocol.v1.JobsGrpc;
import dev.fairlane.protocol.v1.ListJobsRequest;
import dev.fairlane.protocol.v1.ListJobsResponse;
import dev.fairlane.protocol.v1.NewJob;
import dev.fairlane.protocol.v1.Problem;
import dev.fairlane.protocol.v1.SubmitBatchRequest;
import dev.fairlane.protocol.v1.SubmitBatchResponse;
import dev.fairlane.protocol.v1.SubmitItem;
import dev.fairlane.protocol.v1.SubmitRequest;
import dev.fairlane.protocol.v1.SubmitResponse;
import dev.fairlane.protocol.v1.WatchJobRequest;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A server on loopback that speaks the protocol and does what a test tells it: keeps jobs in a map, refuses what it is told to refuse,
 * holds answers back, drops connections.
 */
final class FakeServer implements AutoCloseable {
    static final String KEY = "test-key";
    /** Batches that begin with a job of this type are never answered. */
    static final String STUCK = "stuck";

    final FakeWorkers workers = new FakeWorkers();
    final FakeAdmin admin = new FakeAdmin();
    final List<NewJob> submitted = new CopyOnWriteArrayList<>();
    final List<String> calls = new CopyOnWriteArrayList<>();
    final BlockingQueue<Runnable> heldAnswers = new LinkedBlockingQueue<>();
    final Map<String, dev.fairlane.protocol.v1.Job> jobs = new LinkedHashMap<>();
    final List<String> requestIds = new CopyOnWriteArrayList<>();
    /** Whose calls are taken. */
    final Set<String> keys = ConcurrentHashMap.newKeySet();
    /** The key of each call, in their order. */
    final List<String> callers = new CopyOnWriteArrayList<>();
    /** The other ends of all connections over which calls came. */
    final Set<Object> connections = ConcurrentHashMap.newKeySet();

    /** Answers to single submits. */
    volatile boolean holdAnswers;

    volatile boolean holdStreamAnswers;
    /** With this every item of that many batches is refused. */
    volatile @Nullable Problem refuseItems;

    volatile int refuseBatches;
    /** Streams of submits that their clients closed. */
    final AtomicInteger streamsEnded = new AtomicInteger();

    volatile int loseAnswers;
    private final Deque<StatusRuntimeException> refusals = new ArrayDeque<>();
    private final Server server;

    FakeServer() {
        this(0);
    }

    FakeServer(int port) {
        keys.add(KEY);
        try {
            server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                    .addService(new Jobs())
                    .addService(workers)
                    .addService(admin)
                    .intercept(new Guard())
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String url() {
        return "http://localhost:" + server.getPort();
    }

    int port() {
        return server.getPort();
    }

    Fairlane connect() {
        return connect(WorkerClock.REAL);
    }

    /** @param clock what workers of this client go by */
    Fairlane connect(WorkerClock clock) {
        return Fairlane.builder()
                .address(url())
                .key(KEY)
                .deadline(Duration.ofSeconds(60))
                .workerClock(clock)
                .connect();
    }

    /** The next calls fail with these, one each. */
    synchronized void refuse(StatusRuntimeException... next) {
        refusals.addAll(List.of(next));
    }

    static StatusRuntimeException problem(Status.Code code, String reason, String message) {
        return problem(code, reason, message, Duration.ZERO);
    }

    static StatusRuntimeException problem(Status.Code code, String reason, String message, Duration retryAfter) {
        var status = com.google.rpc.Status.newBuilder()
                .setCode(code.value())
                .setMessage(message)
                .addDetails(Any.pack(ErrorInfo.newBuilder()
                        .setReason(reason)
                        .setDomain("fairlane")
                        .build()));
        if (!retryAfter.isZero()) {
            status.addDetails(Any.pack(RetryInfo.newBuilder()
                    .setRetryDelay(com.google.protobuf.Duration.newBuilder()
                            .setSeconds(retryAfter.getSeconds())
                            .setNanos(retryAfter.getNano()))
                    .build()));
        }
        return StatusProto.toStatusRuntimeException(status.build());
    }

    synchronized void put(dev.fairlane.protocol.v1.Job job) {
        jobs.put(job.getId(), job);
        notifyAll();
    }

    synchronized dev.fairlane.protocol.v1.Job end(String id, JobState state, String json) {
        var job = jobs.get(id).toBuilder()
                .setState(state)
                .setResult(com.google.protobuf.ByteString.copyFromUtf8(json))
                .build();
        put(job);
        return job;
    }

    @Override
    public void close() {
        server.shutdownNow();
        try {
            server.awaitTermination();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized SubmitItem accept(NewJob job) {
        submitted.add(job);
        if (job.getType().isEmpty()) {
            return SubmitItem.newBuilder()
                    .setProblem(Problem.newBuilder()
                            .setCode("INVALID_ARGUMENT")
                            .setField("type")
                            .setDetail("expected 1 to 128 characters, but got 0"))
                    .build();
        }
        String id = UUID.randomUUID().toString();
        boolean degraded = job.getPriority() >= 7;
        put(dev.fairlane.protocol.v1.Job.newBuilder()
                .setId(id)
                .setType(job.getType())
                .setTenant("default")
                .setPool("short")
                .setState(JobState.QUEUED)
                .setPayload(job.getPayload())
                .setDegraded(degraded)
                .build());
        return SubmitItem.newBuilder()
                .setId(id)
                .setState(JobState.QUEUED)
                .setDegraded(degraded)
                .build();
    }

    private synchronized StatusRuntimeException nextRefusal() {
        return refusals.poll();
    }

    /** Counts calls, checks the key and hands out the refusals. */
    private final class Guard implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            calls.add(call.getMethodDescriptor().getBareMethodName());
            connections.add(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
            String bearer = headers.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER));
            String key = String.valueOf(bearer).replaceFirst("^Bearer ", "");
            callers.add(key);
            StatusRuntimeException refusal = keys.contains(key)
                    ? nextRefusal()
                    : problem(
                            Status.Code.UNAUTHENTICATED,
                            "UNAUTHENTICATED",
                            "expected a valid API key, but got another");
            if (refusal != null) {
                call.close(refusal.getStatus(), refusal.getTrailers());
                return new ServerCall.Listener<>() {};
            }
            return next.startCall(call, headers);
        }
    }

    private final class Jobs extends JobsGrpc.JobsImplBase {
        @Override
        public void submit(SubmitRequest request, StreamObserver<SubmitResponse> answer) {
            requestIds.add(request.getRequestId());
            SubmitItem item = accept(request.getJob());
            if (loseAnswers > 0) {
                loseAnswers--;
                answer.onError(problem(Status.Code.UNKNOWN, "OUTCOME_UNKNOWN", "lost it"));
                return;
            }
            SubmitResponse response = SubmitResponse.newBuilder()
                    .setId(item.getId())
                    .setState(item.getState())
                    .setDegraded(item.getDegraded())
                    .setPosition("1.7")
                    .build();
            Runnable answering = () -> {
                answer.onNext(response);
                answer.onCompleted();
            };
            if (holdAnswers) {
                heldAnswers.add(answering);
            } else {
                answering.run();
            }
        }

        @Override
        public void submitBatch(SubmitBatchRequest request, StreamObserver<SubmitBatchResponse> answer) {
            answer.onNext(answerTo(request));
            answer.onCompleted();
        }

        @Override
        public StreamObserver<SubmitBatchRequest> submitStream(StreamObserver<SubmitBatchResponse> answer) {
            return new StreamObserver<>() {
                @Override
                public void onNext(SubmitBatchRequest request) {
                    SubmitBatchResponse response = answerTo(request);
                    if (holdStreamAnswers) {
                        heldAnswers.add(() -> answer.onNext(response));
                    } else if (!request.getJobs(0).getType().equals(STUCK)) {
                        answer.onNext(response);
                    }
                }

                @Override
                public void onError(Throwable failure) {}

                @Override
                public void onCompleted() {
                    streamsEnded.incrementAndGet();
                    answer.onCompleted();
                }
            };
        }

        private SubmitBatchResponse answerTo(SubmitBatchRequest request) {
            requestIds.add(request.getRequestId());
            SubmitBatchResponse.Builder response =
                    SubmitBatchResponse.newBuilder().setTag(request.getTag()).setPosition("1.8");
            Problem problem = refuseItems;
            boolean refused = problem != null && refuseBatches > 0;
            if (refused) {
                refuseBatches--;
            }
            for (NewJob job : request.getJobsList()) {
                response.addItems(
                        refused ? SubmitItem.newBuilder().setProblem(problem).build() : accept(job));
            }
            return response.build();
        }

        @Override
        public void get(GetJobRequest request, StreamObserver<dev.fairlane.protocol.v1.Job> answer) {
            answer(request.getId(), answer);
        }

        @Override
        public void await(AwaitJobRequest request, StreamObserver<dev.fairlane.protocol.v1.Job> answer) {
            synchronized (FakeServer.this) {
                long end = System.nanoTime() + request.getTimeoutMs() * 1_000_000;
                while (!terminal(request.getId()) && end - System.nanoTime() > 0) {
                    try {
                        FakeServer.this.wait(Math.max(1, (end - System.nanoTime()) / 1_000_000));
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        break;
                    }
                }
            }
            answer(request.getId(), answer);
        }

        @Override
        public void watch(WatchJobRequest request, StreamObserver<dev.fairlane.protocol.v1.Job> answer) {
            dev.fairlane.protocol.v1.Job last = null;
            synchronized (FakeServer.this) {
                while (true) {
                    var job = jobs.get(request.getId());
                    if (job != null && !job.equals(last)) {
                        last = job;
                        answer.onNext(job);
                    }
                    StatusRuntimeException refusal = nextRefusal();
                    if (refusal != null) {
                        answer.onError(refusal);
                        return;
                    }
                    if (terminal(request.getId())) {
                        answer.onCompleted();
                        return;
                    }
                    try {
                        FakeServer.this.wait();
                    } catch (InterruptedException e) {
                        return;
                    }
                }
            }
        }

        @Override
        public void list(ListJobsRequest request, StreamObserver<ListJobsResponse> answer) {
            List<dev.fairlane.protocol.v1.Job> all;
            synchronized (FakeServer.this) {
                all = new ArrayList<>(jobs.values()).reversed();
            }
            int from = request.getCursor().isEmpty() ? 0 : Integer.parseInt(request.getCursor());
            int to = Math.min(all.size(), from + request.getPageSize());
            answer.onNext(ListJobsResponse.newBuilder()
                    .addAllJobs(all.subList(from, to))
                    .setNextCursor(to < all.size() ? String.valueOf(to) : "")
                    .build());
            answer.onCompleted();
        }

        @Override
        public void cancel(CancelJobRequest request, StreamObserver<CancelJobResponse> answer) {
            answer.onNext(CancelJobResponse.newBuilder()
                    .setOutcome("cancel_requested")
                    .setState(JobState.RUNNING)
                    .build());
            answer.onCompleted();
        }

        private void answer(String id, StreamObserver<dev.fairlane.protocol.v1.Job> answer) {
            dev.fairlane.protocol.v1.Job job;
            synchronized (FakeServer.this) {
                job = jobs.get(id);
            }
            if (job == null) {
                answer.onError(problem(Status.Code.NOT_FOUND, "JOB_NOT_FOUND", "there is no job " + id));
            } else {
                answer.onNext(job);
                answer.onCompleted();
            }
        }

        private boolean terminal(String id) {
            var job = jobs.get(id);
            return job == null || JobInfo.state(job.getState()).terminal();
        }
    }
}
