package dev.fairlane.cli.demo;

import java.util.List;

/** A customer of the demo. */
record DemoTenant(String name, int weight) {
    /** The worker's slots divide by the sum of these weights, so that due shares can be met exactly. */
    static final List<DemoTenant> ALL =
            List.of(new DemoTenant("acme", 1), new DemoTenant("globex", 2), new DemoTenant("initech", 4));

    static final int WEIGHTS = ALL.stream().mapToInt(DemoTenant::weight).sum();

    double due() {
        return (double) weight / WEIGHTS;
    }
}
