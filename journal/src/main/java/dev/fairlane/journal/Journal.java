package dev.fairlane.journal;

import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.AuditHead;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.KeyProbe;
import dev.fairlane.core.model.StoredKey;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.UsageRow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The port to durable storage. See the package for the rules; {@code JournalContract} pins them for every implementation.
 *
 * <p>Calls return at once and complete on a thread of the implementation. The caller keeps at most one {@code append} and at
 * most one of {@code flush}, {@code compact} under way per log; reads may overlap with everything. A call that no correct caller makes (a batch
 * that does not follow the last, a flush beyond the last batch) fails with {@code IllegalStateException} and does nothing.
 */
public interface Journal extends AutoCloseable {

    /**
     * Fences and closes every log that is open, opens a new one for this start of {@code node}, and tells {@code sink} everything that is
     * durable and not finished, in the order: tenants, types, gates, groups, use of the month, ends of the audit's chains, keys, stored open jobs (of those far from due only the number and the keys), then of the
     * closed logs, oldest first, the jobs their flushes left out and the facts behind their flush positions. A far job that such a fact is about is told as open before it. The first {@link #flush} of the new log also covers those tails and stores who was left out; until then they stay.
     *
     * <p>The sink is called from one thread at a time and before the future completes.
     */
    CompletableFuture<OpenedLog> open(String node, RecoverySink sink);

    /** Makes the batch durable: when the future completes, no crash loses it. */
    CompletableFuture<Void> append(LogId log, Batch batch);

    /**
     * Where appends are made, if that is a thread of its own: a batch that is encoded there needs not be handed on. An {@link #append} or
     * {@link #resolve} from there returns when it is done.
     */
    default Optional<Executor> appending() {
        return Optional.empty();
    }

    /**
     * After {@link JournalFault.UnknownOutcome}: says whether batch {@code sequence} is durable. Waits for whatever may still be under way,
     * commits a marker behind it, and only then looks; "no" is final, even for bytes still on their way to the store. It may fail in
     * any way an append may, and is then simply called again.
     */
    CompletableFuture<Boolean> resolve(LogId log, long sequence);

    /**
     * Writes rows and flush position in one fenced transaction. A flush whose outcome is unknown is repeated as it is until the
     * outcome is known: one that moves neither the position nor the first batch that is needed does nothing and gives the receipt of the one that
     * did. One that would move either of them back is refused like one beyond the last batch.
     */
    CompletableFuture<FlushReceipt> flush(LogId log, Flush flush);

    /**
     * Appends the still open jobs of a sealed segment again and empties it: those at home there (see {@link Flush}) whose end was not
     * flushed. The receipt names their new home, which is the same for all. Newer images the segment holds of jobs at home elsewhere are
     * carried over too. Repeating it is as safe as repeating a flush.
     */
    CompletableFuture<FlushReceipt> compact(LogId log, int segment);

    /** Upkeep that never stops appends: partitions made ahead and dropped behind, projected journal segments emptied. */
    CompletableFuture<Void> maintain(LogId log, Retention retention);

    /** Closes the log after a last flush: the next open finds nothing to replay. */
    CompletableFuture<Void> close(LogId log);

    /**
     * Specs with payloads of stored open jobs; ids that are not stored are missing from the answer. A job that has ended may be there as long as
     * its row is where it was said to be.
     */
    CompletableFuture<Map<JobId, JobSpec>> specs(List<StoredJob> jobs);

    /** The same, with what was read beside them anyway and is likely to be asked for next. */
    default CompletableFuture<Fetched> fetch(List<StoredJob> jobs) {
        return specs(jobs).thenApply(specs -> new Fetched(specs, List.of()));
    }

    /**
     * Jobs at home in {@link Flush#FAR} that wake up by {@code until}, up to {@code limit}. Everything flushed before the call is seen.
     *
     * @param without tenants whose jobs are passed over
     * @param payloadBytes those with payloads of up to so many bytes come whole
     */
    CompletableFuture<FarPortion> dueFar(
            FarPortion.Place after, long until, Set<TenantId> without, int limit, int payloadBytes);

    /** Jobs at home in {@link Flush#FAR} among these. Everything flushed before the call is seen. */
    CompletableFuture<List<FarJob>> findFar(List<JobId> ids);

    /** Jobs at home in {@link Flush#FAR} in the order of their ids. {@code scope} null: of any tenant. */
    CompletableFuture<List<FarJob>> pageFar(@Nullable TenantId scope, @Nullable JobId after, int limit);

    /** A job among stored open and finished ones. {@code scope} null: of any tenant. */
    CompletableFuture<Optional<JobView>> find(@Nullable TenantId scope, JobId id);

    /**
     * Looks keys up: one answer per probe, in their order. A key that was submitted several times is answered by its latest submit.
     * Everything flushed before the call is seen.
     */
    CompletableFuture<List<Optional<StoredKey>>> findKeys(List<KeyProbe> probes);

    /** Stored jobs, newest first. */
    CompletableFuture<JobPage> list(JobQuery query);

    /** Dead letters that fit, without their contents; a page may come back short, even empty, with a place to go on from. */
    CompletableFuture<DeadIds> pageDead(DeadQuery query);

    /** Dead letters with their contents; those that are none (any more) are missing from the answer. */
    CompletableFuture<Map<JobId, JobView>> findDead(@Nullable TenantId scope, List<JobId> ids);

    /** Dead letters that fit, counted by tenant, type and class, the largest groups first, at most 1,000. */
    CompletableFuture<List<DeadCount>> countDead(DeadFilter filter);

    /** Removes dead letters for good, fenced; says how many of these there were. At most 1,000 at once. */
    CompletableFuture<Integer> purgeDead(LogId log, @Nullable TenantId scope, List<JobId> ids);

    /** A stored group, done or not. {@code scope} null: of any tenant. */
    CompletableFuture<Optional<JobGroup>> group(@Nullable TenantId scope, JobId id);

    /** Members of a group in the order of their ids. */
    CompletableFuture<List<JobId>> groupMembers(JobId group, @Nullable JobId after, int limit);

    /** What was used, in the order of time, tenant, pool, lane and type; one row more than the limit says that there are more. */
    CompletableFuture<List<UsageRow>> usage(UsageQuery query);

    /** Entries of the audit, as many as the limit says at most. */
    CompletableFuture<List<AuditEntry>> audit(AuditQuery query);

    /**
     * Both ends of one chain of the audit, or (null) of all, in the order of their tenants' numbers.
     *
     * @param after only chains of higher numbers; −1 for all
     */
    CompletableFuture<List<AuditHead>> auditHeads(@Nullable TenantId chain, int after, int limit);

    /** Makes the text of a stored entry's reason empty: the only thing of the audit that may change. @return whether there was any */
    CompletableFuture<Boolean> eraseReason(TenantId chain, long sequence);

    /** The store's clock, microseconds since the epoch. */
    CompletableFuture<Long> now();

    /** Credentials live beside the journal: they are few and change rarely, so they are plain rows. */
    ApiKeyStore keys();

    /** Secrets that webhooks are signed with, for the same reason plain rows. */
    WebhookSecretStore webhookSecrets();

    @Override
    void close();
}
