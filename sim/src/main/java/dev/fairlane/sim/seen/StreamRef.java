package dev.fairlane.sim.seen;

/**
 * One connection of one life of a worker to one life of a node.
 *
 * @param life counts the worker's starts
 */
public record StreamRef(int number, String node, String worker, int life) {
    @Override
    public String toString() {
        return "s" + number + " " + worker + "." + life + "–" + node;
    }
}
