package dev.fairlane.bench.engine;

/** What a tenant costs that has run a job and does nothing now. */
public final class IdleTenants {
    private static final int FEW = 1_000;

    private IdleTenants() {}

    /** Heap each, from the difference between many and few. */
    public static double bytesEach(int many) {
        BusyEngine engine = BusyEngine.resting();
        engine.visit(FEW);
        long before = used();
        engine.visit(many);
        double bytes = (used() - before) / (double) many;
        if (engine.tenants() != FEW + many) {
            throw new IllegalStateException("expected the engine to be there still");
        }
        return bytes;
    }

    private static long used() {
        // the serial collector leaves gaps, except each fourth time
        for (int i = 0; i < 4; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
