package dev.fairlane.dist;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import dev.fairlane.server.config.ServerConfig;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** Logs go to standard error: as lines for people, or one JSON object a line. */
final class LogSetup {
    /** Libraries that talk about themselves at every start. */
    private static final List<String> QUIET = List.of(
            "com.linecorp.armeria", "io.netty", "io.grpc", "org.flywaydb", "com.zaxxer.hikari", "org.postgresql");

    private LogSetup() {}

    static void apply(ServerConfig.Log config) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(encoder(context, config.format()));
        appender.start();
        Level level = Level.toLevel(config.level());
        ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(level);
        root.addAppender(appender);
        if (level.isGreaterOrEqual(Level.INFO)) {
            QUIET.forEach(name -> context.getLogger(name).setLevel(level == Level.ERROR ? Level.ERROR : Level.WARN));
        }
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }

    private static Encoder<ILoggingEvent> encoder(LoggerContext context, String format) {
        if (format.equals("json")) {
            JsonEncoder json = new JsonEncoder();
            json.setContext(context);
            json.start();
            return json;
        }
        PatternLayoutEncoder lines = new PatternLayoutEncoder();
        lines.setContext(context);
        lines.setPattern("%d{yyyy-MM-dd'T'HH:mm:ss.SSS} %-5level %-24.24logger{24} %msg%n");
        lines.start();
        return lines;
    }
}
