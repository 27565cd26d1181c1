package dev.fairlane.peers;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** Lock-and-fetch with 32 threads and the limits its author names for high throughput (1.0, 4.0); payloads go in as they are. */
final class DbScheduler implements Library {
    private static final int THREADS = 32;
    private static final Duration POLL = Duration.ofMillis(20);
    private static final String TABLE =
            """
            create table scheduled_tasks (
                task_name text not null, task_instance text not null, task_data bytea, execution_time timestamptz not null,
                picked boolean not null, picked_by text, last_success timestamptz, last_failure timestamptz,
                consecutive_failures int, last_heartbeat timestamptz, version bigint not null, priority smallint,
                primary key (task_name, task_instance));
            create index execution_time_idx on scheduled_tasks (execution_time);
            create index last_heartbeat_idx on scheduled_tasks (last_heartbeat)
            """;

    private final HikariDataSource pool;
    private final OneTimeTask<String> task;
    private final SchedulerClient client;
    private final String prefix = Long.toString(ProcessHandle.current().pid(), 36) + "-";
    private final AtomicLong made = new AtomicLong();
    private volatile LongConsumer done = stamp -> {};
    private volatile Scheduler scheduler;

    DbScheduler(Database database) {
        this.pool = database.pool();
        this.task = Tasks.oneTime("noop", String.class)
                .execute((instance, context) -> done.accept(Payloads.stamp(instance.getData())));
        this.client = SchedulerClient.Builder.create(pool, task).serializer(new Plain()).build();
    }

    @Override
    public void prepare() throws Exception {
        Database.execute(pool, TABLE);
    }

    @Override
    public void submit(long[] stamps) {
        List<TaskInstance<?>> instances = new ArrayList<>(stamps.length);
        for (long stamp : stamps) {
            instances.add(instance(stamp));
        }
        client().scheduleBatch(instances, Instant.now());
    }

    @Override
    public void submit(long stamp) {
        client().scheduleIfNotExists(instance(stamp), Instant.now());
    }

    /** A scheduler in this process sees what it is given itself at once. */
    private SchedulerClient client() {
        Scheduler running = scheduler;
        return running == null ? client : running;
    }

    private TaskInstance<String> instance(long stamp) {
        return task.instance(prefix + made.incrementAndGet(), Payloads.of(stamp));
    }

    @Override
    public void start(LongConsumer whenDone) {
        done = whenDone;
        Scheduler started = Scheduler.create(pool, task)
                .serializer(new Plain())
                .threads(THREADS)
                .pollUsingLockAndFetch(1.0, 4.0)
                .pollingInterval(POLL)
                .enableImmediateExecution()
                .build();
        started.start();
        scheduler = started;
    }

    @Override
    public void stop() {
        Scheduler running = scheduler;
        scheduler = null;
        running.stop();
    }

    @Override
    public void close() {
        pool.close();
    }

    private static final class Plain implements Serializer {
        @Override
        public byte[] serialize(Object data) {
            return ((String) data).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public <T> T deserialize(Class<T> type, byte[] bytes) {
            return type.cast(new String(bytes, StandardCharsets.UTF_8));
        }
    }
}
