package dev.fairlane.bench.fairness;

import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.TenantRules;

/** A tenant and what it does. Made by saying what is special about it; nobody changes it once a world plays it. */
final class Actor {
    private final String name;
    private final long millis;
    private final double perSecond;
    private TenantRules rules = TenantRules.NONE;
    private int weight = 10;
    private int keep;
    private int atOnce;
    private int beginsAt;
    private int priority = -1;
    private int failing;
    private int keys;
    private JobNeeds needs = JobNeeds.NONE;

    private Actor(String name, long millis, int keep, double perSecond) {
        this.name = name;
        this.millis = millis;
        this.keep = keep;
        this.perSecond = perSecond;
    }

    /** Always has more to do than it can. */
    static Actor busy(String name, long millis) {
        return new Actor(name, millis, 200, 0);
    }

    /** Comes with a job now and then. */
    static Actor modest(String name, long millis, double perSecond) {
        return new Actor(name, millis, 0, perSecond);
    }

    Actor weighing(int other) {
        weight = other;
        return this;
    }

    Actor under(TenantRules other) {
        rules = other;
        return this;
    }

    /** Always has so many waiting. */
    Actor keeping(int jobs) {
        keep = jobs;
        return this;
    }

    /** Submits so many in the moment it begins, and no more. */
    Actor dumping(int jobs) {
        keep = 0;
        atOnce = jobs;
        return this;
    }

    Actor from(int second) {
        beginsAt = second;
        return this;
    }

    Actor marked(int other) {
        priority = other;
        return this;
    }

    Actor failing(int percent) {
        failing = percent;
        return this;
    }

    Actor spreadOver(int count) {
        keys = count;
        return this;
    }

    Actor needing(JobNeeds other) {
        needs = other;
        return this;
    }

    /** Whether it waits for its turn only, never for its own jobs. */
    boolean isModest() {
        return perSecond > 0;
    }

    String name() {
        return name;
    }

    TenantRules rules() {
        return rules;
    }

    /** Its share against others. */
    int weight() {
        return weight;
    }

    /** How long its jobs run. */
    long millis() {
        return millis;
    }

    /** Jobs it always has waiting. */
    int keep() {
        return keep;
    }

    /** Jobs it submits a second, at random moments. */
    double perSecond() {
        return perSecond;
    }

    /** Jobs it submits in the moment it begins. */
    int atOnce() {
        return atOnce;
    }

    /** Seconds from the beginning. */
    int beginsAt() {
        return beginsAt;
    }

    /** Of all its jobs; −1: the default. */
    int priority() {
        return priority;
    }

    /** Percentage of its executions that fail. */
    int failing() {
        return failing;
    }

    /** Among how many fair keys it spreads its jobs; 0: it uses none. */
    int keys() {
        return keys;
    }

    JobNeeds needs() {
        return needs;
    }
}
