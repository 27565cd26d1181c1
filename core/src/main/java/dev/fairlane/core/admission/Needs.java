package dev.fairlane.core.admission;

import dev.fairlane.core.model.JobNeeds;

/** What a job needs: what it says, and where it says nothing what its type says. */
final class Needs {
    private Needs() {}

    static JobNeeds of(JobNeeds job, JobNeeds type) {
        if (job.equals(JobNeeds.NONE)) {
            return type;
        }
        return new JobNeeds(
                        job.fairKey().isEmpty() ? type.fairKey() : job.fairKey(),
                        job.concurrencyKey().isEmpty() ? type.concurrencyKey() : job.concurrencyKey(),
                        job.rateKey().isEmpty() ? type.rateKey() : job.rateKey(),
                        job.rateCost() == JobNeeds.NONE.rateCost() ? type.rateCost() : Math.abs(job.rateCost()),
                        job.demand().isNone() ? type.demand() : job.demand(),
                        job.tags().isEmpty() ? type.tags() : job.tags())
                .shared();
    }
}
