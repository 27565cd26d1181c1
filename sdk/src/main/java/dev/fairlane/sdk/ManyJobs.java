package dev.fairlane.sdk;

import dev.fairlane.protocol.v1.ChangeJobsRequest;
import dev.fairlane.protocol.v1.ControlGrpc;
import dev.fairlane.sdk.internal.Rpc;

/**
 * All open jobs that fit a filter. What is done to them runs on the server; look at the {@link Operations operation} for how far it is.
 *
 * <pre>{@code
 * var spring = fairlane.jobs(OpenJobs.ALL.type("send_email").tags(Map.of("campaign", "spring")));
 * Operation operation = spring.cancel("the campaign is over");
 * System.out.println(fairlane.operations().get(operation.id()).done());
 * }</pre>
 */
public final class ManyJobs {
    private final Rpc rpc;
    private final OpenJobs which;
    private final int rate;

    ManyJobs(Rpc rpc, OpenJobs which, int rate) {
        this.rpc = rpc;
        this.which = which;
        this.rate = rate;
    }

    /** @param perSecond so many jobs a second at most; 0, the default: as fast as the server takes them */
    public ManyJobs rate(int perSecond) {
        return new ManyJobs(rpc, which, perSecond);
    }

    /** Begins to cancel them, those that run too. */
    public Operation cancel(String why) {
        return begin(ChangeJobsRequest.newBuilder().setAction("cancel"), why);
    }

    /**
     * Begins to change those that wait.
     *
     * @param change anything but payloads and a revision, which cannot be the same for many jobs
     */
    public Operation change(JobChange change, String why) {
        return begin(ChangeJobsRequest.newBuilder().setAction("change").setChange(change.ofMany()), why);
    }

    /** Begins to hold back those that wait, one by one; to hold back all of a type or lane see {@link Pauses}. */
    public Operation pause(String why) {
        return begin(ChangeJobsRequest.newBuilder().setAction("pause"), why);
    }

    /** Begins to put paused ones back, at the ends of their lines. */
    public Operation resume(String why) {
        return begin(ChangeJobsRequest.newBuilder().setAction("resume"), why);
    }

    private Operation begin(ChangeJobsRequest.Builder asked, String why) {
        ChangeJobsRequest request =
                asked.setFilter(which.message()).setWhy(why).setRate(rate).build();
        return Operation.of(rpc.call(ControlGrpc.getChangeJobsMethod(), request, Rpc.Repeat.ONLY_IF_NOT_DONE));
    }
}
