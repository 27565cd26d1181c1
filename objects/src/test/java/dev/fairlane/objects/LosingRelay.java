package dev.fairlane.objects;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between client and server, and can lose the answer to a write that was done. */
final class LosingRelay implements AutoCloseable {
    private final ServerSocket socket;
    private final int port;
    private final AtomicBoolean armed = new AtomicBoolean();
    private final AtomicInteger lost = new AtomicInteger();

    private LosingRelay(ServerSocket socket, int port) {
        this.socket = socket;
        this.port = port;
    }

    static LosingRelay to(int port) throws IOException {
        LosingRelay relay = new LosingRelay(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), port);
        Thread.ofVirtual().start(relay::accept);
        return relay;
    }

    String address() {
        return "http://127.0.0.1:" + socket.getLocalPort();
    }

    void loseNextAnswerToPut() {
        armed.set(true);
    }

    /** Answers that were lost. */
    int lost() {
        return lost.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = socket.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
                AtomicBoolean put = new AtomicBoolean();
                Thread.ofVirtual().start(() -> pump(client, server, put, true));
                Thread.ofVirtual().start(() -> pump(server, client, put, false));
            }
        } catch (IOException closed) {
            // the test is over
        }
    }

    private void pump(Socket from, Socket to, AtomicBoolean put, boolean request) {
        byte[] buffer = new byte[65_536];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                String text = new String(buffer, 0, n, StandardCharsets.ISO_8859_1);
                if (request && text.startsWith("PUT ")) {
                    put.set(true);
                } else if (!request && put.get() && text.contains("HTTP/1.1 200") && armed.compareAndSet(true, false)) {
                    lost.incrementAndGet();
                    return;
                }
                out.write(buffer, 0, n);
                out.flush();
            }
        } catch (IOException closed) {
            // the other side is gone
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
