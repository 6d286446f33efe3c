package io.farnode.producer.machine.workload;

/**
 * Pages in order, of which only the node matters: neighbours of one node are kept as one run, so that moving 64 alike costs
 * as much as moving one. Taken from either end, so it serves as queue and as stack. Allocates nothing after its making.
 */
final class PageRuns {
    private final int[] nodes;
    private final int[] counts;
    private int first;
    private int runs;
    private int size;

    /**
     * None.
     *
     * @param most how many pages it must be able to hold
     */
    PageRuns(int most) {
        nodes = new int[most + 1];
        counts = new int[most + 1];
    }

    /**
     * Adds pages at the end.
     *
     * @param node their node
     * @param count how many
     * @throws IllegalStateException if there is no room
     */
    void add(int node, int count) {
        if (count == 0) {
            return;
        }
        if (size + count >= nodes.length) {
            throw new IllegalStateException("no room for " + count + " more than " + size + " pages");
        }
        size += count;
        int last = at(runs - 1);
        if (runs > 0 && nodes[last] == node) {
            counts[last] += count;
            return;
        }
        int next = at(runs++);
        nodes[next] = node;
        counts[next] = count;
    }

    private int at(int run) {
        int at = first + run;
        if (at >= nodes.length) {
            return at - nodes.length;
        }
        return at < 0 ? at + nodes.length : at;
    }

    /** {@return the node of the oldest page; meaningless if there is none} */
    int firstNode() {
        return nodes[first];
    }

    /** {@return the node of the newest page; meaningless if there is none} */
    int lastNode() {
        return nodes[at(runs - 1)];
    }

    /**
     * Takes the oldest pages, as far as they are of one node.
     *
     * @param most how many at most
     * @return how many it was; 0 only if there is none or none is wanted
     */
    int takeFirst(int most) {
        return runs == 0 ? 0 : take(first, most, true);
    }

    /**
     * Takes the newest pages, as far as they are of one node.
     *
     * @param most how many at most
     * @return how many it was; 0 only if there is none or none is wanted
     */
    int takeLast(int most) {
        return runs == 0 ? 0 : take(at(runs - 1), most, false);
    }

    private int take(int run, int most, boolean oldest) {
        int taken = Math.min(most, counts[run]);
        counts[run] -= taken;
        size -= taken;
        if (counts[run] == 0) {
            runs--;
            first = oldest ? at(1) : first;
        }
        return taken;
    }

    /** {@return how many pages there are} */
    int size() {
        return size;
    }
}
