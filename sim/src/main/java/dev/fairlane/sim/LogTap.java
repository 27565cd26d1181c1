package dev.fairlane.sim;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import dev.fairlane.sim.event.Trace;
import dev.fairlane.sim.seen.Observer;
import dev.fairlane.sim.seen.Sighting;
import org.slf4j.LoggerFactory;

/** Brings what the nodes log into the trace while a simulation runs: an error in a log is as much a finding as a wrong answer. */
final class LogTap extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger logger;
    private final Trace trace;
    private final Observer observer;

    private LogTap(Logger logger, Trace trace, Observer observer) {
        this.logger = logger;
        this.trace = trace;
        this.observer = observer;
    }

    static LogTap into(Trace trace, Observer observer) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        Logger logger = context.getLogger("dev.fairlane.runtime");
        LogTap tap = new LogTap(logger, trace, observer);
        tap.setContext(context);
        tap.start();
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        logger.addAppender(tap);
        return tap;
    }

    @Override
    protected void append(ILoggingEvent event) {
        trace.say("log " + event.getLevel() + " " + event.getFormattedMessage());
        if (event.getLevel().isGreaterOrEqual(Level.ERROR)) {
            String stack = event.getThrowableProxy() == null
                    ? ""
                    : "\n" + ThrowableProxyUtil.asString(event.getThrowableProxy());
            observer.saw(new Sighting.Trouble("a node", event.getFormattedMessage() + stack));
        }
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        stop();
    }
}
