package dev.fairlane.objects;

import java.io.IOException;
import java.io.InputStream;

/**
 * An object, or a part of it, being read.
 *
 * @param length bytes in this part
 */
public record ObjectBody(ObjectInfo info, long from, long length, InputStream bytes) implements AutoCloseable {

    @Override
    public void close() {
        try {
            bytes.close();
        } catch (IOException e) {
            throw ObjectFault.unavailable("cannot close " + info.name(), e);
        }
    }
}
