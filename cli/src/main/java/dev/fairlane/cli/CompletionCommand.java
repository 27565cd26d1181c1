package dev.fairlane.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fairlane completion}: a script for the shell that completes commands and options. */
@Command(
        name = "completion",
        description = "Print a script that completes commands and options in a shell.",
        footer = {"", "bash:  source <(fairlane completion bash)", "zsh:   source <(fairlane completion zsh)"})
final class CompletionCommand implements Callable<Integer> {
    private final Session session;

    @Parameters(index = "0", paramLabel = "SHELL", description = "bash or zsh")
    private @Nullable Shell shell;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "This text")
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private boolean help;

    /** In lower case because they are typed. */
    enum Shell {
        bash,
        zsh
    }

    CompletionCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        if (shell == Shell.zsh) {
            session.out().println("autoload -Uz compinit bashcompinit && compinit && bashcompinit");
        }
        session.out().println(AutoComplete.bash("fairlane", Main.everything(session)));
        return ExitCode.OK;
    }
}
