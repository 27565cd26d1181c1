package dev.fairlane.peers;

import com.zaxxer.hikari.HikariDataSource;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.utils.ConnectionProvider;
import org.quartz.utils.DBConnectionManager;

/** One durable job and a trigger per piece of work, which spares it a row each; clustered, as two processes share its tables. */
final class Quartz implements Library {
    private static final int THREADS = 32;
    private static final String DATA_SOURCE = "peers";
    private static final String TABLES = "org/quartz/impl/jdbcjobstore/tables_postgres.sql";
    private static final JobDetail JOB =
            JobBuilder.newJob(Noop.class).withIdentity("noop").storeDurably().build();

    /** Jobs are made by the library. */
    private static volatile LongConsumer done = stamp -> {};

    private final HikariDataSource pool;
    private final String prefix = Long.toString(ProcessHandle.current().pid(), 36) + "-";
    private final AtomicLong made = new AtomicLong();
    private Scheduler scheduler;

    Quartz(Database database) {
        this.pool = database.pool();
    }

    /** Does nothing. */
    public static final class Noop implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            done.accept(Payloads.stamp(context.getTrigger().getJobDataMap().getString("payload")));
        }
    }

    @Override
    public void prepare() throws Exception {
        try (InputStream in = Quartz.class.getClassLoader().getResourceAsStream(TABLES)) {
            String script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            Database.execute(pool, script.replaceAll("(?m)^--.*$", "").replaceAll("(?i)commit;", ""));
        }
        scheduler().addJob(JOB, true);
    }

    private synchronized Scheduler scheduler() throws SchedulerException {
        if (scheduler == null) {
            DBConnectionManager.getInstance().addConnectionProvider(DATA_SOURCE, new Pooled(pool));
            Properties properties = new Properties();
            properties.putAll(Map.ofEntries(
                    Map.entry("org.quartz.scheduler.instanceName", "peers"),
                    Map.entry("org.quartz.scheduler.instanceId", "AUTO"),
                    Map.entry("org.quartz.scheduler.idleWaitTime", "1000"),
                    Map.entry("org.quartz.scheduler.batchTriggerAcquisitionMaxCount", Integer.toString(THREADS)),
                    Map.entry("org.quartz.threadPool.threadCount", Integer.toString(THREADS)),
                    Map.entry("org.quartz.jobStore.class", "org.quartz.impl.jdbcjobstore.JobStoreTX"),
                    Map.entry(
                            "org.quartz.jobStore.driverDelegateClass",
                            "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate"),
                    Map.entry("org.quartz.jobStore.dataSource", DATA_SOURCE),
                    Map.entry("org.quartz.jobStore.isClustered", "true"),
                    Map.entry("org.quartz.jobStore.acquireTriggersWithinLock", "true"),
                    Map.entry("org.quartz.jobStore.misfireThreshold", "3600000")));
            scheduler = new StdSchedulerFactory(properties).getScheduler();
        }
        return scheduler;
    }

    @Override
    public void submit(long[] stamps) throws SchedulerException {
        Set<Trigger> triggers = HashSet.newHashSet(stamps.length);
        for (long stamp : stamps) {
            triggers.add(trigger(stamp));
        }
        scheduler().scheduleJobs(Map.of(JOB, triggers), true);
    }

    @Override
    public void submit(long stamp) throws SchedulerException {
        scheduler().scheduleJob(trigger(stamp));
    }

    private Trigger trigger(long stamp) {
        return TriggerBuilder.newTrigger()
                .withIdentity(prefix + made.incrementAndGet())
                .forJob(JOB.getKey())
                .usingJobData("payload", Payloads.of(stamp))
                .startNow()
                .build();
    }

    @Override
    public void start(LongConsumer whenDone) throws SchedulerException {
        done = whenDone;
        scheduler().start();
    }

    @Override
    public void stop() throws SchedulerException {
        scheduler.standby();
    }

    @Override
    public void close() throws SchedulerException {
        if (scheduler != null) {
            scheduler.shutdown(true);
        }
        pool.close();
    }

    private record Pooled(HikariDataSource pool) implements ConnectionProvider {
        @Override
        public Connection getConnection() throws SQLException {
            return pool.getConnection();
        }

        @Override
        public void shutdown() {}

        @Override
        public void initialize() {}
    }
}
