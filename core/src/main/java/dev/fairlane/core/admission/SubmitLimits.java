package dev.fairlane.core.admission;

import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.KeyName;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.Tenant;
import org.jspecify.annotations.Nullable;

/**
 * What a submit has to pass once its shape is good and it repeats no other, in this order: the rate of its tenant, the depth of its
 * tenant, the room of the node (semantics §3). A refused job is charged nothing.
 */
public final class SubmitLimits {
    private static final long RETRY_AFTER_MICROS = 1_000_000;

    private final EngineConfig config;
    private final Directory directory;
    private final SubmitRates rates = new SubmitRates();
    private final Pressure pressure;
    private final Slowed slowed;

    /** Who is slowed: its submit rate is half. */
    public interface Slowed {
        boolean test(int tenant, long now);
    }

    public SubmitLimits(EngineConfig config, Directory directory, Slowed slowed) {
        this.config = config;
        this.directory = directory;
        this.slowed = slowed;
        this.pressure = new Pressure(config);
    }

    public Pressure pressure() {
        return pressure;
    }

    public SubmitRates rates() {
        return rates;
    }

    /**
     * Why the job cannot be taken now, or null.
     *
     * @param keys in memory
     * @param keysOfTenant the tenant's; anything if the job has none
     */
    public @Nullable Refusal refusal(
            NewJob job, Tenant tenant, int open, int openOfTenant, int keys, int keysOfTenant, long now) {
        Refusal refusal = rate(tenant, now);
        if (refusal == null) {
            refusal = depth(tenant, open, openOfTenant);
        }
        return refusal == null ? memory(job, tenant, keys, keysOfTenant) : refusal;
    }

    /** Jobs a second the tenant may submit now; 0: no bound. */
    public int rateOf(Tenant tenant, long now) {
        int rate = config.admission().submitRate(tenant.rules());
        return rate > 1 && slowed.test(tenant.id().number(), now) ? rate / 2 : rate;
    }

    private @Nullable Refusal rate(Tenant tenant, long now) {
        int rate = rateOf(tenant, now);
        if (rate == 0) {
            return null;
        }
        int number = tenant.id().number();
        long wait = rates.waitMicros(number, rate, now);
        if (wait == 0) {
            return null;
        }
        return new Refusal(
                RefusalCode.RATE_LIMIT,
                "expected at most " + rate + " jobs a second from the tenant; try again later, or submit more slowly",
                wait,
                rate,
                rates.present(number, rate, now));
    }

    /** Jobs the tenant may have open. */
    public int maxOpenJobs(Tenant tenant) {
        int own = tenant.rules().maxOpenJobs();
        return own > 0 ? own : config.room().openJobsPerTenant();
    }

    /** Why nobody may open one more job of the tenant now, or null. */
    public @Nullable Refusal depth(Tenant tenant, int open, int openOfTenant) {
        int limit = maxOpenJobs(tenant);
        if (openOfTenant >= limit) {
            return new Refusal(
                    RefusalCode.DEPTH_LIMIT,
                    "expected fewer than " + limit + " open jobs, but the tenant has " + openOfTenant
                            + "; wait until some end",
                    RETRY_AFTER_MICROS,
                    limit,
                    openOfTenant);
        }
        return pressure.refusal(open);
    }

    private @Nullable Refusal memory(NewJob job, Tenant tenant, int keys, int keysOfTenant) {
        if (KeyName.isGiven(job.idempotencyKey())) {
            SharedBound.Full full = SharedBound.full(config.keys().max(), keys, keysOfTenant, 1);
            if (full != null) {
                return new Refusal(
                        RefusalCode.NODE_FULL,
                        "expected at most " + full.limit() + " idempotency keys in memory"
                                + (full.own() ? " of one tenant beside those of others" : "") + "; try again later",
                        RETRY_AFTER_MICROS,
                        full.limit(),
                        full.present());
            }
        }
        return Admission.oneTypeMore(directory, tenant.id().number(), job.type());
    }

    /** A submit of the tenant was granted. */
    public void charge(Tenant tenant, long now) {
        int rate = rateOf(tenant, now);
        if (rate > 0) {
            rates.charge(tenant.id().number(), rate, now);
        }
    }
}
