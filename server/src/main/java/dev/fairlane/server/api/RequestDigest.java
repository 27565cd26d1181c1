package dev.fairlane.server.api;

import com.google.common.hash.HashCode;
import com.google.common.hash.HashFunction;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Message;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Of the fields in their order, so that the order in which a map was written makes no difference. */
final class RequestDigest {
    private RequestDigest() {}

    static HashCode of(Message request, HashFunction function) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(request.getSerializedSize());
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.useDeterministicSerialization();
        try {
            request.writeTo(out);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return function.hashBytes(bytes.toByteArray());
    }
}
