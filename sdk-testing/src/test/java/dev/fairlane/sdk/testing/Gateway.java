package dev.fairlane.sdk.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between clients and a server: counts connections and cuts them. */
final class Gateway implements AutoCloseable {
    private final ServerSocket listening;
    private final URI server;
    private final AtomicInteger connections = new AtomicInteger();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    Gateway(String server) {
        this.server = URI.create(server);
        try {
            this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    String address() {
        return "http://127.0.0.1:" + listening.getLocalPort();
    }

    /** Made so far. */
    int connections() {
        return connections.get();
    }

    /** Ends all connections there are, whatever is on its way. New ones are let through. */
    void cut() {
        open.forEach(Gateway::end);
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                connections.incrementAndGet();
                Socket onward = new Socket(server.getHost(), server.getPort());
                open.add(client);
                open.add(onward);
                Thread.ofVirtual().start(() -> pass(client, onward));
                Thread.ofVirtual().start(() -> pass(onward, client));
            } catch (IOException closedOrRefused) {
                // closed: the loop ends; a server that is gone: the client finds out
            }
        }
    }

    private void pass(Socket from, Socket to) {
        byte[] buffer = new byte[16 << 10];
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
            }
        } catch (IOException cut) {
            // one end went away: so does the other
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }
}
