package dev.fairlane.dist;

import dev.fairlane.journal.postgres.Background;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets what somebody waits for go before what works in stretches. Linux, from 6.12 on, takes a slice from every thread: how long it would like to
 * run at a time. Whoever wakes up with a shorter one is let in at once, where it would else wait until the other's slice is over and a tick of the
 * clock has come, up to 4 ms. Shares of the processor stay equal, so nothing is starved, and it needs no rights. Compilers, the collector's helpers, flushes
 * and all processes of the embedded PostgreSQL but the one that appends have long slices; everything else, other programs too, has the usual one. Its
 * processes that nobody waits for have {@link Weights} as well.
 *
 * <p>Threads and processes inherit it from who starts them. A machine that knows nothing of it is left as it is.
 */
final class Slices implements Background {
    private static final Logger log = LoggerFactory.getLogger(Slices.class);

    static final long LONG_NANOS = 20_000_000;
    private static final long USUAL = 0;
    private static final int THIS_THREAD = 0;

    /** Threads of the JVM, by how their names begin. */
    private static final List<String> IN_STRETCHES =
            List.of("C1 Compiler", "C2 Compiler", "G1 Conc", "G1 Main", "G1 Refine", "G1 Service", "Training");

    /** The system call {@code sched_setattr} by processor; {@code sched_getattr} is the next. */
    private static final Map<String, Long> SET_ATTRIBUTES = Map.of("amd64", 314L, "aarch64", 274L);

    // struct sched_attr
    private static final int ATTRIBUTES_BYTES = 48;
    private static final int POLICY_AT = 4;
    private static final int SLICE_AT = 24;
    private static final int SCHED_OTHER = 0;

    private final @Nullable MethodHandle syscall;
    private final long setAttributes;
    private final Weights weights = new Weights();

    private Slices(@Nullable MethodHandle syscall, long setAttributes) {
        this.syscall = syscall;
        this.setAttributes = setAttributes;
    }

    static Slices ofThisMachine() {
        Long number = SET_ATTRIBUTES.get(System.getProperty("os.arch"));
        if (number == null || !System.getProperty("os.name").equals("Linux")) {
            return new Slices(null, 0);
        }
        try {
            return new Slices(syscall(), number);
        } catch (IllegalCallerException forbidden) {
            log.debug("this JVM may not call the kernel, so all slices stay as they are", forbidden);
            return new Slices(null, 0);
        }
    }

    private static MethodHandle syscall() {
        Linker linker = Linker.nativeLinker();
        FunctionDescriptor shape = FunctionDescriptor.of(
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT);
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("syscall"), shape, Linker.Option.firstVariadicArg(1));
    }

    /** The JVM's own threads that nobody waits for. Those it makes later are made by one of these. */
    void lengthenOwn() {
        Path tasks = Path.of("/proc/self/task");
        if (!Files.isDirectory(tasks)) {
            return;
        }
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                if (worksInStretches(thread)) {
                    set(Integer.parseInt(thread.getFileName().toString()), LONG_NANOS);
                }
            }
        } catch (IOException e) {
            log.debug("the threads of this program cannot be listed", e);
        }
    }

    private static boolean worksInStretches(Path thread) {
        try {
            String name = Files.readString(thread.resolve("comm"));
            return IN_STRETCHES.stream().anyMatch(name::startsWith);
        } catch (IOException ended) {
            return false;
        }
    }

    /** A process, what it has started and what it will start. What it has started gives way, too. */
    void lengthenAllOf(long pid) {
        set((int) pid, LONG_NANOS);
        ProcessHandle.of(pid).stream().flatMap(ProcessHandle::children).forEach(child -> {
            set((int) child.pid(), LONG_NANOS);
            weights.set(child.pid(), Weights.LOWERED);
        });
    }

    @Override
    public void here() {
        set(THIS_THREAD, LONG_NANOS);
    }

    @Override
    public void awaitedHere() {
        set(THIS_THREAD, USUAL);
    }

    @Override
    public void awaited(int backend) {
        set(backend, USUAL);
    }

    @Override
    public void givesWay(int backend, boolean way) {
        weights.set(backend, way ? Weights.LOWERED : Weights.USUAL);
    }

    /** The same where the database is on another machine, whose numbers of processes mean nothing here. */
    Background ofThreadsOnly() {
        return new Background() {
            @Override
            public void here() {
                Slices.this.here();
            }

            @Override
            public void awaitedHere() {
                Slices.this.awaitedHere();
            }

            @Override
            public void awaited(int backend) {}

            @Override
            public void givesWay(int backend, boolean way) {}
        };
    }

    /** Of a thread; what cannot be changed stays as it is. */
    private void set(int thread, long nanos) {
        if (syscall == null) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(ATTRIBUTES_BYTES);
            boolean done = get(thread, attributes);
            if (done && attributes.get(ValueLayout.JAVA_INT, POLICY_AT) == SCHED_OTHER) {
                attributes.set(ValueLayout.JAVA_LONG, SLICE_AT, nanos);
                done = (long) syscall.invokeExact(setAttributes, thread, attributes, 0, 0) == 0;
            }
            if (!done) {
                log.debug("thread {} keeps the slice it has", thread);
            }
        } catch (Throwable e) {
            throw new IllegalStateException("sched_setattr could not be called", e);
        }
    }

    private boolean get(int thread, MemorySegment attributes) throws Throwable {
        MethodHandle call = Objects.requireNonNull(syscall);
        return (long) call.invokeExact(setAttributes + 1, thread, attributes, ATTRIBUTES_BYTES, 0) == 0;
    }

    /** How long a thread would like to run at a time; 0 where that is not known. */
    long nanosOf(int thread) {
        if (syscall == null) {
            return 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(ATTRIBUTES_BYTES);
            return get(thread, attributes) ? attributes.get(ValueLayout.JAVA_LONG, SLICE_AT) : 0;
        } catch (Throwable e) {
            throw new IllegalStateException("sched_getattr could not be called", e);
        }
    }
}
