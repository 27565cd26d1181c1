package dev.fairlane.bench.engine;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** How many decisions a second, and how long the slowest picks take. */
public class EngineDecisions {
    static final int DECISIONS_PER_JOB = 3;

    @State(Scope.Thread)
    public static class Work {
        @Param({"10", "100", "1000", "10000", "100000"})
        public int tenants;

        @Param("0")
        public int waiting;

        BusyEngine engine = new BusyEngine(1, 0);

        @Setup(Level.Trial)
        public void prepare() {
            engine = new BusyEngine(tenants, waiting);
        }
    }

    @State(Scope.Thread)
    public static class OnePick {
        @Param({"10", "100", "1000", "10000", "100000"})
        public int tenants;

        @Param("0")
        public int waiting;

        BusyEngine engine = new BusyEngine(1, 0);

        @Setup(Level.Trial)
        public void prepare() {
            engine = new BusyEngine(tenants, waiting);
        }

        @Setup(Level.Invocation)
        public void before() {
            engine.submit();
        }

        @TearDown(Level.Invocation)
        public void after() {
            engine.complete();
        }
    }

    @Benchmark
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    @OperationsPerInvocation(DECISIONS_PER_JOB)
    public void decisions(Work work) {
        work.engine.job();
    }

    @Benchmark
    @BenchmarkMode(Mode.SampleTime)
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public void pick(OnePick work) {
        work.engine.pick();
    }
}
