/** The Java client and worker. Only {@code dev.fairlane.sdk} is API; {@code internal} packages are never exported. */
module dev.fairlane.sdk {
    requires java.net.http;
    requires static org.jspecify;
    requires dev.fairlane.protocol;
    requires com.google.protobuf;
    requires io.grpc;
    requires io.grpc.netty.shaded;
    requires io.grpc.protobuf;
    requires io.grpc.stub;
    requires transitive tools.jackson.databind;

    exports dev.fairlane.sdk;
}
