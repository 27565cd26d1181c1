package dev.fairlane.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.sdk.HandOverException;
import dev.fairlane.sdk.LeaseLostException;
import dev.fairlane.sdk.Payload;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Checkpoints, progress and hand-over of commands, through files. */
class CheckpointFilesTest {
    private final GivenContext context = new GivenContext();

    private Object run(String line) throws Exception {
        return CommandHandler.ofShell(line, Duration.ofMillis(200), "USR1").run(context, Payload.json("{}"));
    }

    @Test
    void aFileMovedIntoTheFolderIsSavedAndRemoved() throws Exception {
        Object left = run("""
                echo 1 > $FAIRLANE_CHECKPOINT_OUT/.part && mv $FAIRLANE_CHECKPOINT_OUT/.part $FAIRLANE_CHECKPOINT_OUT/a
                while [ -e $FAIRLANE_CHECKPOINT_OUT/a ]; do sleep 0.05; done
                echo 2 > $FAIRLANE_CHECKPOINT_OUT/.part && mv $FAIRLANE_CHECKPOINT_OUT/.part $FAIRLANE_CHECKPOINT_OUT/b
                while [ -e $FAIRLANE_CHECKPOINT_OUT/b ]; do sleep 0.05; done
                echo 3 > $FAIRLANE_CHECKPOINT_OUT/.half
                ls $FAIRLANE_CHECKPOINT_OUT""");

        assertThat(left).as("nothing but the one that is being written").isNull();
        assertThat(context.checkpoints).containsExactly("1\n", "2\n");
    }

    @Test
    void whatWasSavedJustBeforeTheEndCountsToo() throws Exception {
        run("echo last > $FAIRLANE_CHECKPOINT_OUT/a");

        assertThat(context.checkpoints).containsExactly("last\n");
    }

    @Test
    void theNextExecutionFindsTheLastCheckpoint() throws Exception {
        assertThat(run("echo \"${FAIRLANE_CHECKPOINT_IN-none}\"")).isEqualTo(Payload.text("none\n"));
        context.checkpoints.add("41");

        assertThat(run("echo $(($(cat $FAIRLANE_CHECKPOINT_IN) + 1))")).isEqualTo(Payload.json("42"));
    }

    @Test
    void theFolderGoesWithTheExecution() throws Exception {
        Object folder = run("echo x > $FAIRLANE_CHECKPOINT_OUT/.half; echo $FAIRLANE_CHECKPOINT_OUT");

        assertThat(Path.of(new String(((Payload) folder).bytes()).strip())).doesNotExist();
    }

    @Test
    void theLastLineOfTheProgressFileIsTold() throws Exception {
        run("echo '0.25 a quarter' > $FAIRLANE_PROGRESS; echo '0.5 half' >> $FAIRLANE_PROGRESS");
        run("echo 0.75 > $FAIRLANE_PROGRESS");
        run("echo warming up > $FAIRLANE_PROGRESS");
        run("echo '7 of 9' > $FAIRLANE_PROGRESS");
        run(": > $FAIRLANE_PROGRESS");

        assertThat(context.progress).containsExactly("0.5 half", "0.75 ", "NaN warming up", "NaN 7 of 9");
    }

    @Test
    void aCommandIsAskedToHandOverAndSaysThatItDoes() {
        context.handOverRequested = true;

        assertThatThrownBy(() -> run("""
                trap 'echo 7 > $FAIRLANE_CHECKPOINT_OUT/a; exit 79' USR1
                while true; do sleep 0.05; done""")).isInstanceOf(HandOverException.class);
        assertThat(context.checkpoints).containsExactly("7\n");
    }

    @Test
    void aCheckpointOfAnExecutionThatLostItsLeaseEndsTheCommand() {
        context.leaseLost = true;

        assertThatThrownBy(() -> run("echo 1 > $FAIRLANE_CHECKPOINT_OUT/a; exec sleep 600"))
                .isInstanceOf(LeaseLostException.class);
    }
}
