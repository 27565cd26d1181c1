package dev.fairlane.core.shard;

import dev.fairlane.core.model.Notice;
import java.util.Map;

/**
 * What holds jobs back, in numbers.
 *
 * @param noticed how often each kind was noticed since this start
 */
public record GuardStats(int openBreakers, long breakersRefused, Map<Notice.Kind, Long> noticed) {}
