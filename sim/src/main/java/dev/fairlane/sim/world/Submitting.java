package dev.fairlane.sim.world;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.runtime.SubmitReply;
import dev.fairlane.sim.seen.Request;
import dev.fairlane.sim.seen.Sighting;
import java.util.ArrayList;
import java.util.List;

/** Brings submits to the nodes. What it did not hear the outcome of it asks again where a key makes that safe. */
final class Submitting {
    private static final long AGAIN_MICROS = 300_000;

    private final Desk desk;
    private final List<Request> answered = new ArrayList<>();
    private int unresolved;

    Submitting(Desk desk) {
        this.desk = desk;
    }

    /** A call of one or more submits, until it is answered or given up. */
    private static final class Batch {
        final List<Request> requests;
        boolean settled;

        Batch(List<Request> requests) {
            this.requests = requests;
        }

        boolean keyed() {
            return requests.stream().allMatch(Request::keyed);
        }

        List<NewJob> jobs() {
            return requests.stream().map(Request::job).toList();
        }
    }

    void submit(List<Request> requests) {
        Batch batch = new Batch(requests);
        if (batch.keyed()) {
            unresolved++;
        }
        send(batch);
    }

    /** Answers that are still waited for. */
    int unresolved() {
        return unresolved;
    }

    /** Keyed requests that were answered. */
    List<Request> answered() {
        return answered;
    }

    private void send(Batch batch) {
        desk.calls.ask(
                (at, node) -> {
                    batch.requests.forEach(request -> arrived(at, request));
                    return node.submit(desk.mine(), batch.jobs());
                },
                (at, reply) -> {
                    for (int i = 0; i < batch.requests.size(); i++) {
                        left(at, batch.requests.get(i), reply.answers().get(i));
                    }
                },
                reply -> heard(batch, reply),
                () -> {
                    if (batch.keyed() && !batch.settled) {
                        desk.world.agenda().after(AGAIN_MICROS, () -> send(batch));
                    }
                },
                at -> batch.requests.forEach(request -> desk.saw(new Sighting.SubmitDeclined(at.name, request))));
    }

    void arrived(SimNode at, Request request) {
        desk.world.say(desk.name + " submits " + request + " at " + at);
        desk.saw(new Sighting.SubmitArrived(at.name, request));
    }

    void left(SimNode at, Request request, Answer answer) {
        desk.world.say(at + " answers " + request + ": " + answer);
        if (Desk.isNews(at, answer)) {
            desk.saw(new Sighting.SubmitAnswered(at.name, request, answer));
        }
        if (answer instanceof Answer.Submitted submitted) {
            desk.promises.left(submitted.id());
        }
    }

    private void heard(Batch batch, SubmitReply reply) {
        if (batch.settled) {
            return;
        }
        batch.settled = true;
        if (batch.keyed()) {
            unresolved--;
        }
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < batch.requests.size(); i++) {
            Request request = batch.requests.get(i);
            if (reply.answers().get(i) instanceof Answer.Submitted submitted) {
                ids.add(submitted.id());
                if (request.keyed()) {
                    answered.add(request);
                }
            }
        }
        desk.promises.heard(ids, reply.position());
    }
}
