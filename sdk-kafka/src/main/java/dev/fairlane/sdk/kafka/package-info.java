/**
 * Records in Kafka, once per job although jobs run at least once.
 *
 * <ul>
 *   <li>{@link dev.fairlane.sdk.kafka.KafkaOnce}: the records of a job and a mark with its effect key are committed in one transaction; an
 *       attempt that finds the mark sends nothing. Readers with {@code isolation.level=read_committed} see the records once.
 *   <li>{@link dev.fairlane.sdk.kafka.EffectHeader} and {@link dev.fairlane.sdk.kafka.SeenEffects}: for topics with more traffic than
 *       that can carry, records bear the effect key and readers drop what they have seen.
 * </ul>
 */
@NullMarked
package dev.fairlane.sdk.kafka;

import org.jspecify.annotations.NullMarked;
