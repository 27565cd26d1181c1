package dev.fairlane.journal;

/**
 * A log that was just opened.
 *
 * @param genesis hash before its first batch
 * @param nowAt the store's clock at opening
 * @param highWaterAt greatest time found in any log: time never goes below it
 */
public record OpenedLog(LogId log, byte[] genesis, long nowAt, long highWaterAt) {}
