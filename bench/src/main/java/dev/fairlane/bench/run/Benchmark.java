package dev.fairlane.bench.run;

import dev.fairlane.bench.report.Figures;
import java.util.List;

/** Something that can be measured by name. */
@FunctionalInterface
public interface Benchmark {
    /** @param arguments what stands behind the name on the command line */
    Figures run(Options options, List<String> arguments) throws Exception;
}
