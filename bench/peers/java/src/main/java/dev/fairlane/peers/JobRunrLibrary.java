package dev.fairlane.peers;

import static org.jobrunr.server.BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.jobrunr.utils.mapper.JsonMapper;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;

/**
 * Job requests rather than lambdas, which spares it the analysis of bytecode. It fetches as many jobs as it has workers free, so many
 * workers are its batch size; five seconds are the shortest poll it takes with a database.
 */
final class JobRunrLibrary implements Library {
    private static final int WORKERS = 128;
    private static final Duration POLL = Duration.ofSeconds(5);

    /** Handlers are made by the library. */
    private static volatile LongConsumer done = stamp -> {};

    private final HikariDataSource pool;
    private final JsonMapper json = new JacksonJsonMapper();
    private StorageProvider storage;
    private JobRequestScheduler scheduler;
    private BackgroundJobServer server;

    JobRunrLibrary(Database database) {
        this.pool = database.pool();
    }

    /** A job as its user writes it. */
    public static final class Noop implements JobRequest {
        private String payload = "";

        public Noop() {}

        Noop(String payload) {
            this.payload = payload;
        }

        public String getPayload() {
            return payload;
        }

        @Override
        public Class<NoopHandler> getJobRequestHandler() {
            return NoopHandler.class;
        }
    }

    /** Does nothing. */
    public static final class NoopHandler implements JobRequestHandler<Noop> {
        @Override
        public void run(Noop request) {
            done.accept(Payloads.stamp(request.getPayload()));
        }
    }

    @Override
    public void prepare() {
        scheduler();
    }

    /** Makes its tables when it first sees the database. */
    private synchronized JobRequestScheduler scheduler() {
        if (scheduler == null) {
            storage = SqlStorageProviderFactory.using(pool);
            storage.setJobMapper(new JobMapper(json));
            scheduler = new JobRequestScheduler(storage);
        }
        return scheduler;
    }

    @Override
    public void submit(long[] stamps) {
        scheduler().enqueue(Arrays.stream(stamps).mapToObj(stamp -> new Noop(Payloads.of(stamp))));
    }

    @Override
    public void submit(long stamp) {
        scheduler().enqueue(new Noop(Payloads.of(stamp)));
    }

    @Override
    public void start(LongConsumer whenDone) {
        done = whenDone;
        scheduler();
        server = new BackgroundJobServer(
                storage,
                json,
                null,
                usingStandardBackgroundJobServerConfiguration().andWorkerCount(WORKERS).andPollInterval(POLL));
        server.start();
    }

    @Override
    public void stop() {
        server.stop();
    }

    @Override
    public void close() {
        pool.close();
    }
}
