package dev.fairlane.server;

import com.linecorp.armeria.common.Flags;
import com.linecorp.armeria.common.util.TransportType;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** The thread that accepts connections. It stops when it is told to; Netty's own would first be quiet for two seconds. */
final class AcceptLoop extends MultiThreadIoEventLoopGroup {
    private AcceptLoop(String name, IoHandlerFactory handlers) {
        super(1, Thread.ofPlatform().name(name).daemon().factory(), handlers);
    }

    static EventLoopGroup named(String name) {
        return new AcceptLoop(
                name,
                Flags.transportType() == TransportType.EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }

    @Override
    public Future<?> shutdownGracefully() {
        return shutdownGracefully(0, 5, TimeUnit.SECONDS);
    }
}
