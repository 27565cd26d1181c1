package dev.fairlane.bench.fairness;

import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.TenantRules;

/**
 * A tenant and what it does.
 *
 * @param weight its share against others; 0: its tier's
 * @param millis how long its jobs run
 * @param keep jobs it always has waiting; 0: it only does what {@code perSecond} and {@code atOnce} say
 * @param perSecond jobs it submits a second, at random moments
 * @param atOnce jobs it submits in the moment it begins
 * @param beginsAt seconds from the beginning
 * @param endsAt when it stops submitting; 0: never
 * @param priority of all its jobs; −1: the default
 * @param failing percentage of its executions that fail
 * @param keys among how many fair keys it spreads its jobs; 0: it uses none
 */
record Actor(
        String name,
        TenantRules rules,
        int weight,
        long millis,
        int keep,
        double perSecond,
        int atOnce,
        int beginsAt,
        int endsAt,
        int priority,
        int failing,
        int keys,
        JobNeeds needs) {

    /** Always has more to do than it can. */
    static Actor busy(String name, long millis) {
        return new Actor(name, TenantRules.NONE, 10, millis, 200, 0, 0, 0, 0, -1, 0, 0, JobNeeds.NONE);
    }

    /** Comes with a job now and then. */
    static Actor modest(String name, long millis, double perSecond) {
        return new Actor(name, TenantRules.NONE, 10, millis, 0, perSecond, 0, 0, 0, -1, 0, 0, JobNeeds.NONE);
    }

    Actor weighing(int other) {
        return new Actor(
                name, rules, other, millis, keep, perSecond, atOnce, beginsAt, endsAt, priority, failing, keys, needs);
    }

    Actor under(TenantRules other) {
        return new Actor(
                name, other, weight, millis, keep, perSecond, atOnce, beginsAt, endsAt, priority, failing, keys, needs);
    }

    Actor dumping(int jobs) {
        return new Actor(
                name, rules, weight, millis, 0, perSecond, jobs, beginsAt, endsAt, priority, failing, keys, needs);
    }

    Actor from(int second) {
        return new Actor(
                name, rules, weight, millis, keep, perSecond, atOnce, second, endsAt, priority, failing, keys, needs);
    }

    Actor until(int second) {
        return new Actor(
                name, rules, weight, millis, keep, perSecond, atOnce, beginsAt, second, priority, failing, keys, needs);
    }

    Actor marked(int other) {
        return new Actor(
                name, rules, weight, millis, keep, perSecond, atOnce, beginsAt, endsAt, other, failing, keys, needs);
    }

    Actor failing(int percent) {
        return new Actor(
                name, rules, weight, millis, keep, perSecond, atOnce, beginsAt, endsAt, priority, percent, keys, needs);
    }

    Actor spreadOver(int count) {
        return new Actor(
                name, rules, weight, millis, keep, perSecond, atOnce, beginsAt, endsAt, priority, failing, count,
                needs);
    }

    Actor needing(JobNeeds other) {
        return new Actor(
                name, rules, weight, millis, keep, perSecond, atOnce, beginsAt, endsAt, priority, failing, keys, other);
    }
}
