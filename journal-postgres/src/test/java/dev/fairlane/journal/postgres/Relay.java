package dev.fairlane.journal.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A TCP relay in front of PostgreSQL that a test can cut, or let swallow what the client sends. */
final class Relay implements AutoCloseable {
    private final ServerSocket door;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean swallowing;
    private volatile boolean swallowed;

    Relay(int target) {
        this.target = target;
        try {
            door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    /** The same address through the relay. */
    static Relay before(String jdbcUrl) {
        return new Relay(Integer.parseInt(jdbcUrl.replaceAll(".*:(\\d+)/.*", "$1")));
    }

    String through(String jdbcUrl) {
        return jdbcUrl.replaceFirst("//[^/]+/", "//127.0.0.1:" + door.getLocalPort() + "/");
    }

    /** What clients send from now on goes nowhere; new connections work. */
    void swallow() {
        swallowing = true;
    }

    boolean hasSwallowed() {
        return swallowed;
    }

    /** Ends all connections on the client's side; the server may not notice. New ones work. */
    void cut() {
        sockets.forEach(Relay::end);
        sockets.clear();
        swallowing = false;
    }

    private void accept() {
        try {
            while (!door.isClosed()) {
                Socket client = door.accept();
                sockets.add(client);
                if (door.isClosed()) {
                    end(client);
                    return;
                }
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                Thread.ofVirtual().start(() -> pump(client, server, true));
                Thread.ofVirtual().start(() -> pump(server, client, false));
            }
        } catch (IOException e) {
            if (!door.isClosed()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void pump(Socket from, Socket to, boolean toServer) {
        byte[] buffer = new byte[64 * 1024];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (toServer && swallowing) {
                    swallowed = true;
                } else {
                    out.write(buffer, 0, read);
                }
            }
        } catch (IOException ignored) {
            // Cut: the other side stays as it is, like a machine that was unplugged.
        }
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The socket may listen for a moment longer, while a thread is in accept: whoever connects then is turned away. */
    @Override
    public void close() {
        try {
            door.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }
}
