package dev.fairlane.sdk;

import dev.fairlane.sdk.SubmitStream.Batch;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * How a {@link BatchStream} goes about it.
 *
 * @param batchSize most jobs of a batch
 * @param window most batches under way
 * @param answerWithin how long an answer may take
 * @param onBatch called once per batch, in order
 * @param eager for whoever waits for each job: the stream uses the connection for calls, a batch does not gather while there is room for one more
 *     under way, and its answer is told by the network thread itself, with the stream's lock, so that the callback must neither block nor
 *     throw. A batch keeps its request
 */
record BatchOptions(int batchSize, int window, Duration answerWithin, Consumer<Batch> onBatch, boolean eager) {}
