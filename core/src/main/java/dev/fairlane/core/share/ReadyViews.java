package dev.fairlane.core.share;

import java.util.Arrays;

/** Views with room for a job and a job for it. */
final class ReadyViews {
    private static final int OUT = -1;

    private View[] views = new View[4];
    private int count;

    int count() {
        return count;
    }

    View get(int index) {
        return views[index];
    }

    /** Takes the view in or out, as it is now. */
    void judge(View view) {
        boolean ready = view.served && view.hasWork();
        if (ready && view.readyPlace == OUT) {
            if (count == views.length) {
                views = Arrays.copyOf(views, count * 2);
            }
            view.readyPlace = count;
            views[count++] = view;
        } else if (!ready && view.readyPlace != OUT) {
            View last = views[--count];
            views[view.readyPlace] = last;
            last.readyPlace = view.readyPlace;
            view.readyPlace = OUT;
        }
    }
}
